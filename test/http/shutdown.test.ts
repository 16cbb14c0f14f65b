/** Stopping: no new requests, running ones end, nothing acknowledged is lost, also when the process is killed. */
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLectern, until, uploadForm } from "../harness.ts";

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

test("running requests are answered; those that follow are told to come again, on an open connection and on a new one", async () => {
  const lectern = await startLectern();
  const { key } = lectern.customer();
  const { embedder } = lectern.appliance.models.chosen;
  const works = embedder.embedWithTerms.bind(embedder);
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  embedder.embedWithTerms = async (...request) => {
    reached.resolve();
    await goOn.promise;
    return works(...request);
  };
  const running = lectern.call("POST", "/v1/files/upload", {
    key,
    body: uploadForm({ datasetId: "d" }, { "a.txt": "The last text of the day." }),
  });
  await reached.promise;
  const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nx-service-key: ${key}\r\n\r\n`;
  // Open already, as a browser keeps one.
  const open = await connect(lectern.url);
  expect(await open.answerTo(ask("/healthz"))).toStartWith("HTTP/1.1 200");

  const stopping = lectern.stop();
  for (const connection of [open, await connect(lectern.url)]) {
    const refusal = await connection.answerTo(ask("/v1/files?datasetId=d"));
    expect(refusal).toStartWith("HTTP/1.1 503");
    expect(refusal).toContain("SHUTTING_DOWN");
    expect(refusal.toLowerCase()).toContain("retry-after: 10");
  }
  goOn.resolve();
  expect((await running).status).toBe(200);
  await stopping;
  expect(await connect(lectern.url).catch((error: Error) => error.message)).toBe("Failed to connect");
});

/** A connection on which one request after the other is sent as it is written, and answered in one piece. */
async function connect(url: string): Promise<{ answerTo(request: string): Promise<string> }> {
  const { hostname, port } = new URL(url);
  let answered = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, data) => answered.resolve(data.toString()),
      close: () => answered.resolve("the connection was closed"),
    },
  });
  return {
    answerTo(request) {
      answered = Promise.withResolvers();
      socket.write(request);
      return answered.promise;
    },
  };
}

test("killed in the middle of uploads and deletions: what was answered holds, what was not is not there", async () => {
  const directory = await mkdtemp(join(tmpdir(), "lectern-kill-"));
  directories.push(directory);
  const acknowledged = new Map<string, "stored" | "deleted">();
  const unanswered = new Set<string>();
  const deletions = (): number => [...acknowledged.values()].filter((state) => state === "deleted").length;
  let key = "";

  for (let round = 0; round < 4; round++) {
    const server = Bun.spawn(
      [
        process.execPath,
        "src/main.ts",
        "serve",
        "--json",
        "--data-dir",
        directory,
        "--port",
        "0",
        "--rate-upload",
        "1m",
      ],
      { stdout: "pipe", stderr: "ignore", env: { ...process.env } },
    );
    const lines = readLines(server.stdout);
    let url = "";
    while (url === "") {
      const line = JSON.parse((await lines.next()).value!) as { url?: string; apiKey?: string };
      key = line.apiKey ?? key;
      url = line.url ?? "";
    }
    const authorization = `Bearer ${key}`;
    const listed = (await (await fetch(`${url}/v1/files?datasetId=d`, { headers: { authorization } })).json()) as {
      files: { fileId: string; originalName: string }[];
    };
    const ids = new Set(listed.files.map(({ fileId }) => fileId));
    for (const [fileId, state] of acknowledged)
      if (!unanswered.has(fileId)) expect([fileId, ids.has(fileId)]).toEqual([fileId, state === "stored"]);
    const found = (await (
      await fetch(`${url}/v1/search`, {
        method: "POST",
        headers: { authorization },
        body: JSON.stringify({ datasetId: "d", question: "number" }),
      })
    ).json()) as { data: { metadata: { fileId: string } }[] };
    for (const { metadata } of found.data) expect(ids.has(metadata.fileId)).toBe(true);
    expect(found.data).toHaveLength(Math.min(8, ids.size));
    if (round === 3) {
      server.kill("SIGTERM");
      expect(await server.exited).toBe(0);
      return;
    }

    const before = deletions();
    const clients = Array.from({ length: 4 }, async (_, client) => {
      for (let index = 0; ; index++) {
        const upload = await fetch(`${url}/v1/files/upload`, {
          method: "POST",
          headers: { authorization },
          body: uploadForm(
            { datasetId: "d" },
            { [`${round}-${client}-${index}.txt`]: `Text number ${index} of client ${client} in round ${round}.` },
          ),
        });
        const [file] = ((await upload.json()) as { files: { fileId: string }[] }).files;
        acknowledged.set(file!.fileId, "stored");
        if (index % 3 !== 2) continue;
        unanswered.add(file!.fileId);
        await (await fetch(`${url}/v1/files/${file!.fileId}`, { method: "DELETE", headers: { authorization } })).text();
        acknowledged.set(file!.fileId, "deleted");
        unanswered.delete(file!.fileId);
      }
    });
    // Not before something was answered, which is what has to hold.
    await until(() => deletions() > before, 30_000);
    await Bun.sleep(50 * round);
    server.kill("SIGKILL");
    await Promise.allSettled(clients);
    await server.exited;
  }
}, 60_000);

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
