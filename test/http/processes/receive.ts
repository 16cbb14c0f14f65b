/** Receives a form with one file of `bytes` bytes into `directory`, in pieces, and prints how that failed. For a process whose disk is full. */
import { receiveForm } from "../../../src/http/multipart.ts";

const [directory, bytes] = process.argv.slice(2);
const PIECE = 64 * 1024;

function* pieces(): Generator<Uint8Array> {
  yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\n');
  for (let sent = 0; sent < Number(bytes); sent += PIECE) yield Buffer.alloc(PIECE, "a");
  yield Buffer.from("\r\n--b--\r\n");
}

const remaining = pieces();
const body = new ReadableStream<Uint8Array>({
  pull(controller) {
    const { done, value } = remaining.next();
    if (done) controller.close();
    else controller.enqueue(value);
  },
});

const request = new Request("http://localhost/", {
  method: "POST",
  body,
  headers: { "content-type": "multipart/form-data; boundary=b" },
});
try {
  const { problem } = await receiveForm(
    request,
    directory!,
    { maxFileBytes: 1e9, maxFiles: 1, idleSeconds: 60, leastRate: 0 },
    { admitFile: () => {}, admitBytes: async () => {}, signal: new AbortController().signal },
  );
  console.log(problem === null ? "received" : problem.code);
} catch (error) {
  console.log((error as NodeJS.ErrnoException).code);
}
