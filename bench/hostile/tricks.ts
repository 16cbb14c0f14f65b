/** What a hostile customer does, each trick a loop of its own that is to cost the sender little. */
import { pdfBomb } from "./bomb.ts";
import { Connection } from "./connection.ts";

export interface Target {
  readonly url: string;
  /** Of a customer with credits. */
  readonly key: string;
  /** Of one without. */
  readonly poorKey: string;
}

/** Called for every answer, with its status; 0 for a connection that was cut. */
export type Tell = (status: number) => void;

export interface Trick {
  /** Loops at the same time. */
  readonly times: number;
  /** One turn of the loop, over and over. `turn` counts from 0. */
  run(target: Target, tell: Tell, turn: number): Promise<void>;
}

const MEGABYTE = 1024 * 1024;
const BOUNDARY = "hostile-boundary";
const DATASET = "hostile";

/** Just below the limit of a JSON body. */
const nested = Buffer.from("[".repeat(MEGABYTE / 2 - 8) + "]".repeat(MEGABYTE / 2 - 8));
const longQuestion = Buffer.from(
  JSON.stringify({ datasetId: DATASET, question: "lamp keeper shore ".repeat(Math.floor((MEGABYTE - 100) / 18)) }),
);
/** Deep, and as large as metadata may be. */
const deepMeta = `{"a":${"[".repeat(8000)}${"]".repeat(8000)}}`;
const bomb = formOf([{ name: "report.pdf", content: pdfBomb() }]);
const largeForm = formOf([{ name: "large.txt", content: Buffer.alloc(16 * MEGABYTE, "a lamp by the shore ") }]);
const deepForm = formOf(
  Array.from({ length: 20 }, (_, index) => ({
    name: `deep-${index}.md`,
    content: Buffer.from(`# Lamp ${index}\n\nThe lamp.\n`),
  })),
  { extraMeta: deepMeta },
);

/** Begun in this order: uploads that never end take the room that others need. */
export const tricks: Readonly<Record<string, Trick>> = {
  "documents that take for ever": {
    times: 6,
    async run({ url, key }, tell) {
      await ask(url, [head("POST", "/v1/files/upload", key, bomb.length, multipart), bomb], tell);
      await Bun.sleep(200);
    },
  },
  "nested JSON of 1 MB": {
    times: 4,
    run: ({ url, key }, tell) => ask(url, [head("POST", "/v1/search", key, nested.length), nested], tell),
  },
  "questions of 1 MB": {
    times: 2,
    async run({ url, key }, tell) {
      await ask(url, [head("POST", "/v1/search", key, longQuestion.length), longQuestion], tell);
      await Bun.sleep(250);
    },
  },
  "uploads of a byte a second": {
    times: 48,
    async run({ url, key }, tell) {
      const connection = await Connection.open(url);
      await connection.send(head("POST", "/v1/files/upload", key, MEGABYTE, multipart));
      await connection.send(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\n`,
      );
      for (let sent = 0; sent < 600 && connection.isOpen; sent++) {
        await connection.send("a");
        await Bun.sleep(1000);
      }
      tell(await connection.status());
      connection.close();
      await Bun.sleep(1000);
    },
  },
  "large uploads without credits": {
    times: 2,
    async run({ url, poorKey }, tell) {
      await ask(url, [head("POST", "/v1/files/upload", poorKey, largeForm.length, multipart), largeForm], tell);
      await Bun.sleep(500);
    },
  },
  "listings of deep metadata": {
    times: 2,
    async run({ url, key }, tell, turn) {
      if (turn < 2) await ask(url, [head("POST", "/v1/files/upload", key, deepForm.length, multipart), deepForm], tell);
      await ask(url, [head("GET", `/v1/files?datasetId=${DATASET}`, key, 0)], tell);
      await Bun.sleep(20);
    },
  },
  "uploads broken off": {
    times: 2,
    async run({ url, key }, tell) {
      const connection = await Connection.open(url);
      await connection.send(head("POST", "/v1/files/upload", key, largeForm.length, multipart));
      await connection.send(largeForm.subarray(0, 256 * 1024));
      await Bun.sleep(50);
      connection.close();
      tell(0);
      await Bun.sleep(150);
    },
  },
  "searches beyond the rate": {
    times: 8,
    async run({ url, key }, tell) {
      const body = Buffer.from(JSON.stringify({ datasetId: DATASET, question: "Where is the lamp?" }));
      let last = 0;
      await ask(url, [head("POST", "/v1/search", key, body.length), body], (status) => tell((last = status)));
      if (last === 429) await Bun.sleep(100);
    },
  },
  "tokens beyond the rate": {
    times: 2,
    async run({ url, key }, tell) {
      const body = Buffer.from(JSON.stringify({ datasetId: DATASET }));
      await ask(url, [head("POST", "/v1/tokens/create", key, body.length), body], tell);
      await Bun.sleep(20);
    },
  },
  "credentials made up": {
    times: 2,
    async run({ url }, tell, turn) {
      const made =
        turn % 2 === 0
          ? `lk_${String(turn).padStart(43, "x")}`
          : `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify({ customerId: "others", datasetId: "d", exp: 4e9 })).toString("base64url")}.${"A".repeat(43)}`;
      await ask(url, [head("GET", `/v1/files?datasetId=${DATASET}`, made, 0)], tell);
      await Bun.sleep(20);
    },
  },
  "fifty requests in one": {
    times: 1,
    async run({ url, key }, tell) {
      const connection = await Connection.open(url);
      await connection.send(head("GET", "/v1/files/nothing", key, 0).repeat(50));
      for (let answered = 0; answered < 50 && connection.isOpen; answered++) tell(await connection.status());
      connection.close();
      await Bun.sleep(200);
    },
  },
};

const multipart = `multipart/form-data; boundary=${BOUNDARY}`;

/** Connections that are kept by whoever asks on them. */
const kept = new Map<string, Connection[]>();

/** One request on a connection of its own or one that an earlier request left open. */
async function ask(url: string, parts: readonly (string | Uint8Array)[], tell: Tell): Promise<void> {
  const idle = kept.get(url) ?? [];
  kept.set(url, idle);
  const connection = idle.pop() ?? (await Connection.open(url));
  // Not waited for: the answer may come, and the server stop reading, before all is sent.
  for (const part of parts) void connection.send(part);
  const status = await connection.status();
  tell(status);
  // What was answered early may have left the rest of its body unread.
  if (status >= 200 && status < 400 && connection.isOpen) idle.push(connection);
  else connection.close();
  if (status === 0) await Bun.sleep(100);
}

function head(method: string, path: string, key: string, length: number, contentType = "application/json"): string {
  const body = length > 0 ? `Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n` : "";
  return `${method} ${path} HTTP/1.1\r\nHost: lectern\r\nAuthorization: Bearer ${key}\r\n${body}\r\n`;
}

function formOf(files: readonly { name: string; content: Uint8Array }[], fields: Record<string, string> = {}): Buffer {
  const parts = Object.entries({ datasetId: DATASET, ...fields }).map(([name, value]) =>
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  for (const { name, content } of files)
    parts.push(
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
      Buffer.from(content),
      Buffer.from("\r\n"),
    );
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
