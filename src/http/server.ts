/** Listens, changes its certificate, and stops, without breaking off what is running. */
import { createApps } from "./app.ts";
import { exactRoutes, methodsByPattern } from "./exact-routes.ts";
import { addServerGauges } from "./gauges.ts";
import { listen, requireFree, type Address, type Answering, type Listener } from "./listener.ts";
import { withPlainScheme } from "./request-address.ts";
import type { Service } from "./service.ts";
import type { Certificate } from "./tls/certificate.ts";

/** How often a stopping server looks whether it may end, milliseconds. */
const DRAIN_INTERVAL = 20;
/** How long the former certificate is still shown beside a new one, milliseconds: busy connections change over by themselves meanwhile. */
const HANDOVER = 2000;

export interface RunningServer {
  /** Origin without a trailing slash. */
  readonly url: string;
  /**
   * Shows new connections another certificate, those of the first seconds either. Connections that are used end with their next answer,
   * those that lie idle are closed. Resolves when the former certificate is shown to nobody any more.
   */
  renew(certificate: Certificate): Promise<void>;
  /**
   * Lets running requests end for up to `graceSeconds`, then closes every connection. Until the last of them has ended the server
   * goes on listening, and tells whoever comes that it is stopping.
   */
  stop(graceSeconds: number): Promise<void>;
}

/** Speaks TLS with a certificate, else plain HTTP. Throws OPERATION_FAILED when the address cannot be listened on. */
export function startServer(service: Service, address: Address, certificate: Certificate | null = null): RunningServer {
  const { known, nowhere, otherMethod } = createApps(service);
  known.compile();
  nowhere.compile();
  addServerGauges(service);
  const answering: Answering = {
    routes: exactRoutes(methodsByPattern(known.routes), {
      known: (request) => known.fetch(withPlainScheme(request)),
      nowhere: (request) => nowhere.fetch(withPlainScheme(request)),
      otherMethod: (allowed) => {
        const refuse = otherMethod(allowed);
        return (request) => refuse(withPlainScheme(request));
      },
    }),
    fetch: (request) => nowhere.fetch(withPlainScheme(request)),
  };
  if (certificate !== null && address.port !== 0) requireFree(address, service.log);
  let present = listen(address, certificate, answering, service.log);
  const { url, port } = present.server;
  service.certificateExpires = certificate?.expires ?? null;
  // Whichever of our sockets is asked, Bun finds the request's own connection.
  service.allowIdle = (request, seconds) => present.server.timeout(request, seconds);
  service.addressOf = (request) => present.server.requestIP(request)?.address ?? "";
  const former = new Set<Listener>();
  service.countPending = () =>
    [...former].reduce((sum, { server }) => sum + server.pendingRequests, present.server.pendingRequests);

  return {
    url: reachableOrigin(url),
    async renew(next) {
      const leaving = present;
      present = listen({ host: address.host, port: port! }, next, answering, service.log);
      service.certificateExpires = next.expires;
      former.add(leaving);
      leaving.leave();
      await Bun.sleep(HANDOVER);
      // What it is still answering may take as long as a download does.
      void leaving.server.stop(false).then(() => former.delete(leaving));
    },
    async stop(graceSeconds) {
      service.stop();
      const deadline = performance.now() + graceSeconds * 1000;
      const drain = async (isBusy: () => boolean): Promise<void> => {
        while (isBusy() && performance.now() < deadline) await Bun.sleep(DRAIN_INTERVAL);
      };
      await drain(() => service.runningRequests > 0);
      const servers = [present, ...former].map(({ server }) => server);
      // Closes idle connections too; what is pending now are answers on their way out.
      for (const server of servers) void server.stop(false);
      await drain(() => servers.some((server) => server.pendingRequests > 0));
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

/** A server that listens on every interface is reached from this machine by the loopback one. */
function reachableOrigin({ origin }: URL): string {
  return origin.replace("//0.0.0.0", "//127.0.0.1").replace("//[::]", "//[::1]");
}
