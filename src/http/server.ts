/** Listens, and stops without breaking off what is running. */
import { fail } from "../foundation/errors.ts";
import { createApps } from "./app.ts";
import { exactRoutes, methodsByPattern } from "./exact-routes.ts";
import { addServerGauges } from "./gauges.ts";
import type { Service } from "./service.ts";

/** Seconds that a connection may lie idle; routes that need longer say so. */
const IDLE_SECONDS = 60;
/** How often a stopping server looks whether it may end, milliseconds. */
const DRAIN_INTERVAL = 20;

export interface RunningServer {
  /** Origin without a trailing slash. */
  readonly url: string;
  /**
   * Lets running requests end for up to `graceSeconds`, then closes every connection. Until the last of them has ended the server
   * goes on listening, and tells whoever comes that it is stopping.
   */
  stop(graceSeconds: number): Promise<void>;
}

/** Throws OPERATION_FAILED when the address cannot be listened on. */
export function startServer(
  service: Service,
  { host, port }: { readonly host: string; readonly port: number },
): RunningServer {
  const { known, nowhere, otherMethod } = createApps(service);
  known.compile();
  nowhere.compile();
  addServerGauges(service);
  let server: Bun.Server<undefined>;
  try {
    // Two things are Bun's own and out of our hands: it closes a connection on which a request arrives before the last one is answered
    // (no pipelining behind work that takes time), and answers what it cannot parse with 400, 431 or 505 and no body.
    server = Bun.serve({
      hostname: host,
      port,
      idleTimeout: IDLE_SECONDS,
      // Errors belong into the log, not on a page of Bun's.
      development: false,
      // The routes know their own limits, and answer with a body that says so.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      routes: exactRoutes(methodsByPattern(known.routes), {
        known: (request) => known.fetch(request),
        nowhere: (request) => nowhere.fetch(request),
        otherMethod,
      }),
      fetch: (request) => nowhere.fetch(request),
      error(error) {
        service.log.error("A request failed outside its route", { cause: error });
        return Response.json({ error: "Internal error" }, { status: 500 });
      },
    });
  } catch (error) {
    throw fail(
      "OPERATION_FAILED",
      { reason: `Cannot listen on ${host}, port ${port}: ${listenReason(error)}` },
      undefined,
      error,
    );
  }
  service.allowIdle = (request, seconds) => server.timeout(request, seconds);

  return {
    url: reachableOrigin(server.url),
    async stop(graceSeconds) {
      service.stop();
      const deadline = performance.now() + graceSeconds * 1000;
      const drain = async (isBusy: () => boolean): Promise<void> => {
        while (isBusy() && performance.now() < deadline) await Bun.sleep(DRAIN_INTERVAL);
      };
      await drain(() => service.runningRequests > 0);
      // Closes idle connections too; what is pending now are answers on their way out.
      void server.stop(false);
      await drain(() => server.pendingRequests > 0);
      await server.stop(true);
    },
  };
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there. Stop it, or choose another port with --port.",
  EADDRNOTAVAIL: "this machine has no such address. --host 0.0.0.0 listens on all that it has.",
  ENOTFOUND: "no address of that name is known here.",
  EACCES: "this user may not; ports below 1024 need the superuser or CAP_NET_BIND_SERVICE.",
  EPERM: "this user may not; ports below 1024 need the superuser or CAP_NET_BIND_SERVICE.",
};

function listenReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code !== undefined && Object.hasOwn(listenReasons, code) ? listenReasons[code]! : message;
}

/** A server that listens on every interface is reached from this machine by the loopback one. */
function reachableOrigin({ origin }: URL): string {
  return origin.replace("//0.0.0.0", "//127.0.0.1").replace("//[::]", "//[::1]");
}
