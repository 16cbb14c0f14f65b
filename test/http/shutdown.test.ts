/** Stopping: no new requests, running ones end, nothing acknowledged is lost, also when the process is killed. */
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLectern, uploadForm } from "../harness.ts";

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

test("running requests are answered; those that follow are told to come again", async () => {
  const lectern = await startLectern();
  const { key } = lectern.customer();
  const { embedder } = lectern.appliance.models.chosen;
  const works = embedder.embedWithTerms.bind(embedder);
  const reached = Promise.withResolvers<void>();
  embedder.embedWithTerms = async (...request) => {
    reached.resolve();
    await Bun.sleep(300);
    return works(...request);
  };
  const running = lectern.call("POST", "/v1/files/upload", {
    key,
    body: uploadForm({ datasetId: "d" }, { "a.txt": "The last text of the day." }),
  });
  await reached.promise;
  // A connection that is open already, as a browser keeps one.
  const { hostname, port } = new URL(lectern.url);
  const answers: string[] = [];
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, data) => void answers.push(data.toString()) },
  });
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await Bun.sleep(50);

  const stopping = lectern.stop();
  await Bun.sleep(50);
  socket.write(`GET /v1/files?datasetId=d HTTP/1.1\r\nHost: localhost\r\nx-service-key: ${key}\r\n\r\n`);
  expect((await running).status).toBe(200);
  await stopping;
  expect(answers[0]).toStartWith("HTTP/1.1 200");
  // Either refused in words or by a closed connection, never answered as if nothing were.
  if (answers[1] !== undefined) {
    expect(answers[1]).toStartWith("HTTP/1.1 503");
    expect(answers[1]).toContain("SHUTTING_DOWN");
    expect(answers[1].toLowerCase()).toContain("retry-after");
  }
  socket.end();
});

test("killed in the middle of uploads and deletions: what was answered holds, what was not is not there", async () => {
  const directory = await mkdtemp(join(tmpdir(), "lectern-kill-"));
  directories.push(directory);
  const acknowledged = new Map<string, "stored" | "deleted">();
  const unanswered = new Set<string>();
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
    await Bun.sleep(400 + 150 * round);
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
