/** The executable alone in an empty folder, the project out of its reach: everything it needs is inside it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { sampleQuestions } from "../../scripts/quickstart-questions.ts";
import { describeWith, testWith } from "../requirements.ts";
import {
  command,
  executable,
  hidingProject,
  mountNamespaces,
  placeAlone,
  start,
  type Alone,
  type Started,
} from "./executable.ts";
import { spendWorkingDay } from "./working-day.ts";

describeWith(executable)("the executable alone", () => {
  const before = hidingProject ?? [];
  let alone: Alone;
  let server: Started;
  let apiKey: string;

  beforeAll(async () => {
    alone = placeAlone();
    server = await start(alone, before);
    apiKey = server.apiKey!;
  });
  afterAll(async () => {
    await server?.stop("SIGKILL");
    alone?.remove();
  });

  testWith(mountNamespaces)("the project is out of its reach", () => {
    const project = join(import.meta.dir, "../..");
    expect(Bun.spawnSync([...before, "ls", project]).stdout.toString()).toBe("");
  });

  test("it makes the first customer and says where it listens", () => {
    expect(server.lines).toEqual([
      {
        customerId: "default",
        keyId: expect.any(String),
        apiKey: expect.stringMatching(/^lk_[A-Za-z0-9_-]{43}$/),
        console: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#\/sign-in\/[A-Za-z0-9_-]{43}$/),
      },
      { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), pid: expect.any(Number) },
    ] as never);
  });

  test("its native libraries lie in a private cache", () => {
    const cache = join(alone.folder, "home/.cache/lectern");
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache).length).toBeGreaterThan(0);
  });

  test("it does everything that a client asks of it", async () => {
    expect(await spendWorkingDay(server.url, apiKey, alone.samples)).toEqual({
      uploaded: 20,
      listed: 20,
      filtered: true,
      answered: true,
      streamed: ["sources", "token", "done"],
      downloaded: true,
      remaining: 0,
    });
  }, 60_000);

  test("its command line indexes the samples through it, and finds the right one for nearly every question in every language", async () => {
    const ingested = command(alone, ["ingest", alone.samples, "--dataset", "samples", "--json"], before);
    expect(ingested.stderr).toBe("");
    expect(JSON.parse(ingested.stdout)).toMatchObject({ indexed: 20, failed: [] });
    let right = 0;
    for (const { question, document } of sampleQuestions) {
      const response = await fetch(`${server.url}/v1/search`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ datasetId: "samples", question }),
      });
      const { data } = (await response.json()) as { data: { metadata: { originalName: string } }[] };
      if (data[0]?.metadata.originalName === document) right++;
    }
    expect(right).toBeGreaterThanOrEqual(sampleQuestions.length - 2);
  }, 60_000);

  test("a second one on the same data directory is refused with the name of the first", () => {
    const second = command(alone, ["serve", "--port", "0"], before);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(server.url);
  });

  test("doctor finds nothing wrong beside it", () => {
    const { code, stdout } = command(alone, ["doctor"], before);
    expect(stdout).toEndWith("Nothing is wrong.\n");
    expect(code).toBe(0);
  });

  test("killed, it starts again within two seconds and knows what it knew; stopped, it ends well", async () => {
    await server.stop("SIGKILL");
    server = await start(alone, before);
    expect(server.apiKey).toBeNull();
    expect(server.seconds).toBeLessThan(2);
    const found = command(
      alone,
      ["search", "Wie viele Urlaubstage gibt es?", "--dataset", "samples", "--json"],
      before,
    );
    expect(JSON.parse(found.stdout)[0].metadata.originalName).toBe("urlaubsregelung.docx");
    expect(await server.stop()).toBe(0);
  });

  test("without a server its command line works by itself", () => {
    const found = command(alone, ["search", "oiling the chain", "--dataset", "samples", "--json"], before);
    expect(JSON.parse(found.stdout)[0].metadata.originalName).toBe("bicycle-maintenance.md");
  });

  test("it leaves nothing outside its data directory and its cache", () => {
    expect(readdirSync(alone.folder).sort()).toEqual(
      ["data", "home", basename(alone.executable), "samples", "tmp"].sort(),
    );
    expect(readdirSync(join(alone.folder, "tmp"))).toEqual([]);
    expect(readdirSync(join(alone.folder, "home"))).toEqual([".cache"]);
    expect(readdirSync(join(alone.folder, "home/.cache"))).toEqual(["lectern"]);
  });
});
