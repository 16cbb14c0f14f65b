/** Connects to one of this program's own Workers. */
import { fail } from "../foundation/errors.ts";
import { startOwnWorker, type WorkerEntryPoint } from "../native/index.ts";
import { Connection, type Calls } from "./connection.ts";
import type { ToCaller } from "./messages.ts";

/** Starts a Worker that serves an `Api`. When it ends by itself, whoever waits gets INTERNAL. */
export function startThread<Api>(entryPoint: WorkerEntryPoint): Connection<Api> {
  return connectThread<Api>(startOwnWorker(entryPoint), entryPoint);
}

/** Starts one, and opens it by its first calls. One that fails them is ended, so that it keeps no process alive; what they throw is thrown. */
export async function openThread<Api>(
  entryPoint: WorkerEntryPoint,
  open: (calls: Calls<Api>, connection: Connection<Api>) => Promise<void>,
): Promise<Connection<Api>> {
  const connection = startThread<Api>(entryPoint);
  try {
    await open(connection.calls, connection);
    return connection;
  } catch (error) {
    connection.kill(error);
    throw error;
  }
}

/** Asks another thread, which serves the other end of the port, directly. Whoever hears that it is gone is to `end` the connection. */
export function connectPort<Api>(port: MessagePort): Connection<Api> {
  const connection = new Connection<Api>({
    send: (message, moved) => port.postMessage(message, [...moved]),
    terminate: () => port.close(),
  });
  port.onmessage = ({ data }) => connection.receive(data as ToCaller);
  return connection;
}

/** `name`: what the log calls it. */
export function connectThread<Api>(worker: Worker, name: string): Connection<Api> {
  const connection = new Connection<Api>({
    send: (message, transfer) => worker.postMessage(message, [...transfer]),
    terminate: () => worker.terminate(),
  });
  const lost = (how: string): Error => fail("INTERNAL", {}, undefined, new Error(`the thread ${name} ${how}`));
  worker.onmessage = ({ data }: MessageEvent<ToCaller>) => connection.receive(data);
  worker.onerror = (event) => connection.kill(lost(`failed: ${event.message}`));
  worker.addEventListener("close", () => connection.end(lost("ended by itself")));
  return connection;
}
