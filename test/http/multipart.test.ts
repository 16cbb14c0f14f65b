/** Multipart forms as they come over the wire: whole, cut off, too large, and wrong in every way. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { failureOf } from "../harness.ts";
import { receiveForm, type Admission, type MultipartLimits } from "../../src/http/multipart.ts";

const LIMITS: MultipartLimits = { maxFileBytes: 1000, maxFiles: 3, idleSeconds: 60, leastRate: 0 };
const OPEN: Admission = { admitFile: () => {}, admitBytes: async () => {}, signal: new AbortController().signal };
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lectern-form-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The bytes come in pieces of `pieceSize`. */
function request(body: string | Uint8Array, contentType = "multipart/form-data; boundary=b", pieceSize = 7): Request {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (let start = 0; start < bytes.length; start += pieceSize)
        controller.enqueue(bytes.subarray(start, start + pieceSize));
      controller.close();
    },
  });
  return new Request("http://localhost/", { method: "POST", body: stream, headers: { "content-type": contentType } });
}

const receive = (body: string | Uint8Array, contentType?: string, pieceSize?: number) =>
  receiveForm(request(body, contentType, pieceSize), directory, LIMITS, OPEN);
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, fileName: string, content: string, type = "text/plain") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
const END = "--b--\r\n";

test("fields may come before, between and after the files", async () => {
  const form = await receive(
    field("a", "1") +
      file("file", "x.txt", "first") +
      field("b", "zwei ä") +
      file("files", "y.txt", "second") +
      field("c", "3") +
      END,
  );
  expect(form.problem).toBeNull();
  expect(Object.fromEntries(form.fields)).toEqual({ a: "1", b: "zwei ä", c: "3" });
  expect(form.files.map(({ originalName, size, declaredMimeType }) => [originalName, size, declaredMimeType])).toEqual([
    ["x.txt", 5, "text/plain"],
    ["y.txt", 6, "text/plain"],
  ]);
  expect(await readFile(form.files[1]!.path, "utf8")).toBe("second");
});

test.each([
  ["../../x", "x"],
  ["/etc/passwd", "passwd"],
  ["C:\\\\temp\\\\notes.txt", "notes.txt"],
  ["Bücher 日本.txt", "Bücher 日本.txt"],
  ["a\u0001b.txt", "ab.txt"],
  ["..", "unnamed"],
  ["", "unnamed"],
  // As browsers, curl and fetch send what would end the header.
  ["a %22b%22.txt", 'a "b".txt'],
  ["a%0D%0Ab.txt", "ab.txt"],
  // As clients do that encode the whole name.
  ["b%C3%BCcher%20%31.txt", "bücher 1.txt"],
  ["%E6%97%A5%E6%9C%AC.txt", "日本.txt"],
  ["%C3%BC%2F..%2F%C3%A4.txt", "ä.txt"],
  // A percent sign is one.
  ["100%25 Bücher.txt", "100%25 Bücher.txt"],
  ["100%.txt", "100%.txt"],
  ["a%20b.txt", "a%20b.txt"],
  ["%FF%FE.txt", "%FF%FE.txt"],
])("a file sent as %p is known as %p and never a path", async (sent, known) => {
  const form = await receive(file("file", sent, "text") + END);
  expect(form.problem).toBeNull();
  expect(form.files[0]!.originalName).toBe(known);
  expect(form.files[0]!.path).toBe(join(directory, "0"));
});

test("a name in UTF-8 by an extended parameter is known as such", async () => {
  const part = file("file", "x", "text").replace('filename="x"', "filename*=UTF-8''b%C3%BCcher%22.txt");
  expect((await receive(part + END)).files[0]!.originalName).toBe('bücher".txt');
});

test("a name comes through fetch as it is", async () => {
  const name = 'Bücher "日本" 100% %.txt';
  const form = new FormData();
  form.append("file", new File(["text"], name));
  const received = await receiveForm(
    new Request("http://localhost/", { method: "POST", body: form }),
    directory,
    LIMITS,
    OPEN,
  );
  expect(received.files[0]!.originalName).toBe(name);
});

test.each([
  ["a file part of another name", file("document", "x.txt", "text") + END, "name it"],
  ["a field given twice", field("datasetId", "a") + field("datasetId", "b") + END, "occurs twice"],
  ["more files than allowed", file("file", "x", "1").repeat(4) + END, "more than 3 files"],
  [
    "more fields than allowed",
    Array.from({ length: 101 }, (_, index) => field(`f${index}`, "")).join("") + END,
    "more than 100 fields",
  ],
  ["a field of 100 KB", field("datasetId", "x".repeat(100_000)) + END, "too long"],
  ["a file name of 2000 characters", file("file", "x".repeat(2000), "text") + END, "name is too long"],
  ["a file cut off", file("file", "x.txt", "text").slice(0, -6), "cut off"],
  ["a field cut off", field("datasetId", "value").slice(0, -4), "cut off"],
  ["no end", file("file", "x.txt", "text"), "cut off"],
  ["another boundary", "--c\r\n\r\n--c--", "cut off"],
  ["no multipart at all", "hello", "cut off"],
])("%s is an invalid request", async (_name, body, fragment) => {
  const { problem } = await receive(body);
  expect(problem?.code).toBe("INVALID_REQUEST");
  expect(problem?.message).toContain(fragment);
});

test.each([
  "application/json",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/mixed; boundary=b",
  "",
  "multipart/form-data; boundary=b; charset=utf-16",
])("content type %p is refused", async (contentType) => {
  expect((await receive(field("a", "1") + END, contentType)).problem?.code).toBe("INVALID_REQUEST");
});

test("a file at the limit is taken; one byte more is too large, whatever follows", async () => {
  expect((await receive(file("file", "x.txt", "x".repeat(1000)) + END)).files[0]!.size).toBe(1000);
  await rm(join(directory, "0"));
  expect(await failureOf(receive(`${file("file", "x.txt", "x".repeat(1001))}anything`))).toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
    details: { limit: 1000 },
  });
});

test("a large field is no large file: extraMeta is cut and left to its own check", async () => {
  const form = await receive(field("extraMeta", `{"a":"${"x".repeat(100_000)}"}`) + END, undefined, 10_000);
  expect(form.problem).toBeNull();
  expect(form.fields.get("extraMeta")!.length).toBeGreaterThan(16 * 1024);
});

test("the files seen before a problem are counted", async () => {
  expect((await receive(`${file("file", "x", "1") + file("file", "y", "2")}--b\r\nbroken`)).fileCount).toBe(2);
});

test("an empty body and an empty form", async () => {
  expect(
    (await receiveForm(new Request("http://localhost/", { method: "POST" }), directory, LIMITS, OPEN)).problem?.code,
  ).toBe("INVALID_REQUEST");
  expect(await receive(END)).toMatchObject({ files: [], fileCount: 0 });
});

test("a form cut off anywhere, in pieces of any size, comes to an end: read, or an invalid request", async () => {
  const whole = Buffer.from(
    field("datasetId", "books") + file("file", "x.txt", "some text\r\n--not-the-end") + field("chunkSize", "30") + END,
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), fc.integer({ min: 1, max: 64 }), async (length, pieceSize) => {
      const form = await receive(whole.subarray(0, length), undefined, pieceSize);
      await rm(join(directory, "0"), { force: true });
      // The last line break after the end belongs to no part.
      if (length >= whole.length - 2) expect(form.problem).toBeNull();
      else expect(form.problem?.code).toBe("INVALID_REQUEST");
    }),
    { numRuns: 150 },
  );
});

test("any bytes at all come to an end without another failure", async () => {
  const token = fc.constantFrom(
    "--b",
    "\r\n",
    "--",
    "Content-Disposition: form-data",
    '; name="file"',
    '; filename="x"',
    "\r\n\r\n",
    "x",
    "\0",
    "ÿ",
    ":",
    '"',
    "--b--",
    "Content-Type: text/plain",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(token, { maxLength: 30 }), fc.integer({ min: 1, max: 20 }), async (tokens, pieceSize) => {
      const folder = await mkdtemp(join(directory, "any-"));
      const form = await receiveForm(request(tokens.join(""), undefined, pieceSize), folder, LIMITS, OPEN);
      expect([undefined, "INVALID_REQUEST"]).toContain(form.problem?.code);
    }),
    { numRuns: 200 },
  );
});

test("a disk that takes no more is told as our failure, not as a broken form", async () => {
  // The kernel refuses to let a file grow beyond 100 KiB: the same to us as a full disk.
  const child = Bun.spawn(
    [
      "sh",
      "-c",
      'ulimit -f 200; exec "$@"',
      "sh",
      process.execPath,
      join(import.meta.dir, "processes/receive.ts"),
      directory,
      "1000000",
    ],
    { stdout: "pipe" },
  );
  expect((await new Response(child.stdout).text()).trim()).toBe("EFBIG");
});
