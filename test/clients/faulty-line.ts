/** A line to a real server that breaks as it is told to, one connection after the other. */
import type { Socket, TCPSocketListener } from "bun";

export type Fault =
  /** What the server answers is passed on to the end of these words, or for so many bytes; then both ends are cut. */
  | { readonly cutBehind: string | number }
  /** Nothing is answered, for ever. */
  | "silent"
  /** Closed when the first byte comes, which the server never sees. */
  | "refused"
  | "whole";

export interface FaultyLine {
  readonly url: string;
  /** How many connections there were. */
  readonly connections: () => number;
  stop(): void;
}

interface End {
  other: Socket<End> | null;
  pending: Uint8Array[];
  fault: Fault;
  passed: string;
  bytes: number;
}

/** `faults` are those of the connections in their order; those behind are whole. `target` is asked for each of them, and may move. */
export function faultyLine(target: () => string, faults: readonly Fault[]): FaultyLine {
  let count = 0;
  const listener: TCPSocketListener<End> = Bun.listen<End>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        const fault = faults[count++] ?? "whole";
        client.data = { other: null, pending: [], fault, passed: "", bytes: 0 };
        if (fault !== "silent" && fault !== "refused") connect(client, target());
      },
      data(client, bytes) {
        const { other, fault, pending } = client.data;
        if (fault === "refused") client.terminate();
        else if (fault === "silent") return;
        else if (other === null) pending.push(new Uint8Array(bytes));
        else send(other, new Uint8Array(bytes));
      },
      drain: flush,
      close: (client) => void client.data.other?.end(),
      error(client) {
        client.data.other?.terminate();
      },
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    connections: () => count,
    stop: () => listener.stop(true),
  };
}

function connect(client: Socket<End>, url: string): void {
  const { hostname, port } = new URL(url);
  Bun.connect<End>({
    hostname,
    port: Number(port),
    data: { other: client, pending: [], fault: "whole", passed: "", bytes: 0 },
    socket: {
      open(server) {
        const { pending } = client.data;
        client.data.pending = [];
        client.data.other = server;
        for (const bytes of pending) send(server, bytes);
      },
      data: (server, bytes) => pass(client, server, new Uint8Array(bytes)),
      drain: flush,
      close: () => void client.end(),
      error: () => void client.terminate(),
    },
  }).catch(() => client.terminate());
}

/** To the client, as far as the fault lets it. */
function pass(client: Socket<End>, server: Socket<End>, bytes: Uint8Array): void {
  const { data } = client;
  if (typeof data.fault === "string") return send(client, bytes);
  const { cutBehind } = data.fault;
  const before = data.bytes;
  data.bytes += bytes.length;
  data.passed += new TextDecoder("latin1").decode(bytes);
  const found = typeof cutBehind === "number" ? cutBehind : data.passed.indexOf(cutBehind) + cutBehind.length;
  const isWhole = typeof cutBehind === "number" ? data.bytes < cutBehind : !data.passed.includes(cutBehind);
  if (isWhole) return send(client, bytes);
  send(client, bytes.subarray(0, Math.max(0, found - before)));
  client.flush();
  server.end();
  client.end();
}

/** What a socket does not take at once waits for its drain. */
function send(socket: Socket<End>, bytes: Uint8Array): void {
  if (socket.data.other === null && socket.data.pending.length === 0 && bytes.length === 0) return;
  if (socket.data.pending.length > 0) return void socket.data.pending.push(bytes);
  const written = Math.max(0, socket.write(bytes));
  if (written < bytes.length) socket.data.pending.push(bytes.subarray(written));
}

function flush(socket: Socket<End>): void {
  while (socket.data.pending.length > 0) {
    const bytes = socket.data.pending[0]!;
    const written = Math.max(0, socket.write(bytes));
    if (written < bytes.length) {
      socket.data.pending[0] = bytes.subarray(written);
      return;
    }
    socket.data.pending.shift();
  }
}
