/** A language model in the executable alone: llama.cpp is inside it, and stays packed until someone asks. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tinyModel } from "../answers/gguf-writer.ts";
import { describeWith } from "../requirements.ts";
import { command, executable, hidingProject, placeAlone, start, type Alone, type Started } from "./executable.ts";

setDefaultTimeout(60_000);

describeWith(executable)("a language model in the executable", () => {
  const before = hidingProject ?? [];
  let alone: Alone;
  let server: Started;
  const unpacked = (): boolean =>
    readdirSync(join(alone.folder, "home/.cache/lectern")).some((name) => name.startsWith("llama-"));

  beforeAll(async () => {
    alone = placeAlone();
    server = await start(alone, before);
    await server.stop();
  });
  afterAll(async () => {
    await server?.stop("SIGKILL");
    alone?.remove();
  });

  test("a server without one does not unpack it", () => expect(unpacked()).toBe(false));

  test("the command line tries one and adds it", () => {
    const path = join(alone.folder, "tiny.gguf");
    writeFileSync(path, tinyModel({ script: ["Bees", " make", " honey", " [", "1", "]."] }));
    expect(command(alone, ["model", "add", path], before)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Model tiny is there"),
    });
    expect(command(alone, ["model", "use", "tiny"], before).code).toBe(0);
    expect(unpacked()).toBe(true);
  });

  test("it answers, and leaves no process behind when the server is killed", async () => {
    const apiKey = server.apiKey!;
    server = await start({ ...alone, environment: { ...alone.environment, LECTERN_ANSWER_THREADS: "1" } }, before);
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const form = new FormData();
    form.set("datasetId", "d");
    form.set("file", new File(["Bees make honey from nectar, in hives with one queen."], "bees.txt"));
    expect(
      (
        await fetch(`${server.url}/v1/files/upload`, {
          method: "POST",
          headers: { authorization: headers.authorization },
          body: form,
        })
      ).status,
    ).toBe(200);
    const reply = await fetch(`${server.url}/v1/query`, {
      method: "POST",
      headers,
      body: JSON.stringify({ datasetId: "d", question: "What do bees make?" }),
    });
    expect(await reply.json()).toMatchObject({
      success: true,
      data: { model: "tiny", answer: "Bees make honey [1]." },
    });
    expect(answerProcesses()).toHaveLength(1);
    await server.stop("SIGKILL");
    const deadline = Date.now() + 5000;
    while (answerProcesses().length > 0 && Date.now() < deadline) await Bun.sleep(20);
    expect(answerProcesses()).toEqual([]);
  });

  function answerProcesses(): string[] {
    return readdirSync("/proc").filter((id) => {
      try {
        const words = readFileSync(`/proc/${id}/cmdline`, "utf8");
        return words.includes(alone.executable) && words.includes("--role=answer");
      } catch {
        // It ended while we looked, or is no process.
        return false;
      }
    });
  }
});
