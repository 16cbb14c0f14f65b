/**
 * The one door to objects in other threads and processes: calls (connection.ts) that a plain class answers (serve.ts), over a Worker
 * (thread.ts) or a child process (child-process.ts), kept running where that is wanted (restarting.ts).
 */
export { ChildProcess, ProcessEnd } from "./child-process.ts";
export { Connection, type Calls, type Streams } from "./connection.ts";
export { ItemStream } from "./item-stream.ts";
export { Restarting, type TroubleReport } from "./restarting.ts";
export { connectPort, connectThread, openThread, startThread } from "./thread.ts";
export { transfer } from "./transfer.ts";
