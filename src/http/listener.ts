/**
 * One listening socket of Bun's, with or without TLS. Bun cannot change a listening socket's certificate; so several of these stand
 * on the same port for a moment, and the former one leaves without breaking a connection off.
 */
import type { BunRequest } from "bun";
import { fail } from "../foundation/errors.ts";
import type { Log } from "../foundation/log.ts";
import type { Certificate } from "./tls/certificate.ts";

/** Seconds that a connection may lie idle; routes that need longer say so. */
const IDLE_SECONDS = 60;

type Answer<Asked extends Request> = (request: Asked) => Response | Promise<Response>;

export interface Answering {
  readonly routes: Readonly<Record<string, Answer<BunRequest>>>;
  /** What no route takes. */
  readonly fetch: Answer<Request>;
}

export interface Address {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

export interface Listener {
  readonly server: Bun.Server<undefined>;
  /** From now on each answer ends its connection, so that clients come back to whoever else listens here. */
  leave(): void;
}

/** Throws OPERATION_FAILED when the address cannot be listened on. With a certificate it may be shared with another such listener. */
export function listen(
  { host, port }: Address,
  certificate: Certificate | null,
  { routes, fetch }: Answering,
  log: Log,
): Listener {
  let isLeaving = false;
  const answering =
    <Asked extends Request>(answer: Answer<Asked>): Answer<Asked> =>
    (request) =>
      isLeaving ? lastOfItsConnection(answer(request)) : answer(request);
  try {
    // Two things are Bun's own and out of our hands: it closes a connection on which a request arrives before the last one is answered
    // (no pipelining behind work that takes time), and answers what it cannot parse with 400, 431 or 505 and no body.
    const server = Bun.serve({
      hostname: host,
      port,
      ...(certificate !== null && { tls: { cert: certificate.chain, key: certificate.key } }),
      // Said also where it is false: outside of development Bun would share the port with any other program that does.
      reusePort: certificate !== null,
      idleTimeout: IDLE_SECONDS,
      // Errors belong into the log, not on a page of Bun's.
      development: false,
      // The routes know their own limits, and answer with a body that says so.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      routes: Object.fromEntries(Object.entries(routes).map(([pattern, answer]) => [pattern, answering(answer)])),
      fetch: answering(fetch),
      error(error) {
        log.error("A request failed outside its route", { cause: error });
        return Response.json({ error: "Internal error" }, { status: 500 });
      },
    });
    return { server, leave: () => (isLeaving = true) };
  } catch (error) {
    throw fail(
      "OPERATION_FAILED",
      { reason: `Cannot listen on ${host}, port ${port}: ${listenReason(error)}` },
      undefined,
      error,
    );
  }
}

/** Throws OPERATION_FAILED where another program listens: one that shares its port as we do would get half of our connections. */
export function requireFree(address: Address, log: Log): void {
  const nowhere = (): Response => new Response(null, { status: 503 });
  void listen(address, null, { routes: {}, fetch: nowhere }, log).server.stop(true);
}

async function lastOfItsConnection(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set("connection", "close");
  return response;
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
