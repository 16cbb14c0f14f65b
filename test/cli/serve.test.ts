/** `lectern serve`: its first start, its one line, its place, its end; and the command line as a whole. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { commands } from "../../src/cli/index.ts";
import { lectern, post, serve, temporaryFolder } from "./lectern.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe("serve", () => {
  test("on an empty data directory it prints a working key and a link to the console once, and then one line with its address", async () => {
    const first = await serve(folder.dataDirectory);
    expect(first.lines).toEqual([
      expect.stringMatching(/^API key of the customer "default", shown this once: lk_[\w-]{43}$/),
      expect.stringMatching(
        new RegExp(`^Console, by this link once and within a day: ${first.url}/#/sign-in/[\\w-]{43}$`),
      ),
      `Lectern is ready at ${first.url}`,
    ] as never);
    expect((await post(first, "/v1/search", first.apiKey!, { datasetId: "d", question: "q" })).status).toBe(200);
    expect(await first.stop()).toBe(0);

    const second = await serve(folder.dataDirectory);
    expect(second.lines).toEqual([`Lectern is ready at ${second.url}`]);
    expect((await post(second, "/v1/search", first.apiKey!, { datasetId: "d", question: "q" })).status).toBe(200);
    expect(await second.stop("SIGINT")).toBe(0);
    expect(existsSync(join(folder.dataDirectory, "server.json"))).toBe(false);
  });

  test("customers made before the first start are enough: no default is added", async () => {
    await lectern(["customer", "create", "acme", "--data-dir", folder.dataDirectory]);
    const server = await serve(folder.dataDirectory);
    expect(server.lines).toHaveLength(1);
    await server.stop();
  });

  test("what it makes is private", async () => {
    const server = await serve(folder.dataDirectory);
    expect(statSync(folder.dataDirectory).mode & 0o777).toBe(0o700);
    for (const name of ["secret", "access.db", "lectern.db", "server.json"])
      expect(statSync(join(folder.dataDirectory, name)).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  test("a second one is refused and names the first; when that was killed, the next one starts", async () => {
    const first = await serve(folder.dataDirectory);
    const second = await lectern(["serve", "--port", "0", "--data-dir", folder.dataDirectory]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`in use by the Lectern server at ${first.url}`);
    await first.stop("SIGKILL");
    const third = await serve(folder.dataDirectory);
    expect(await third.stop()).toBe(0);
  });

  test("a port that another server has, on other data, is not shared with it", async () => {
    const first = await serve(folder.dataDirectory);
    const port = new URL(first.url).port;
    const second = await lectern(["serve", "--port", port, "--data-dir", join(folder.path, "other")]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("another program listens there") });
    await first.stop();
  });

  test("a port that is taken is told in a sentence, and the data directory is free again", async () => {
    const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const refused = await lectern(["serve", "--port", String(taken.port), "--data-dir", folder.dataDirectory]);
    void taken.stop(true);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/Cannot listen on 127\.0\.0\.1, port \d+: another program listens there\./);
    expect(refused.stdout).toBe("");
    const server = await serve(folder.dataDirectory);
    // The first key is shown by the start that can listen.
    expect(server.apiKey).not.toBeNull();
    await server.stop();
  });

  test("options come from flags, variables and lectern.toml", async () => {
    await mkdir(folder.dataDirectory, { mode: 0o700 });
    writeFileSync(join(folder.dataDirectory, "lectern.toml"), "rate_retrieval = 7\nrate_token = 8\n");
    const server = await serve(folder.dataDirectory, ["--rate-token", "9"], { LECTERN_RATE_RETRIEVAL: "5" });
    const search = await post(server, "/v1/search", server.apiKey!, { datasetId: "d", question: "q" });
    expect(search.headers.get("x-ratelimit-limit")).toBe("5");
    const token = await post(server, "/v1/tokens/create", server.apiKey!, { datasetId: "d" });
    expect(token.headers.get("x-ratelimit-limit")).toBe("9");
    await server.stop();
  });
});

describe("the command line as a whole", () => {
  test("--help lists every command, and every command has its own", async () => {
    const overview = await lectern(["--help"]);
    expect(overview.code).toBe(0);
    for (const command of commands) expect(overview.stdout).toContain(`  ${command.name}`);
    for (const command of commands.slice(0, 4)) {
      const help = await lectern([...command.name.split(" "), "--help"]);
      expect(help.code).toBe(0);
      for (const flag of Object.keys(command.flags)) expect(help.stdout).toContain(`--${flag}`);
    }
  });

  test("options may stand before the command", async () => {
    const words = ["--data-dir", folder.dataDirectory, "--json", "customer", "create", "acme"];
    expect((await lectern(words)).json()).toMatchObject({ customerId: "acme" });
    expect((await lectern(["--json", "customer", "--data-dir", folder.dataDirectory, "list"])).json()).toHaveLength(1);
    expect((await lectern(["--data-dir", "x", "help", "key", "list"])).stdout).toStartWith("Usage: lectern key list");
  });

  const wrong: [words: string[], sentence: RegExp][] = [
    [["sevre"], /There is no command "sevre"\. Did you mean "serve"\?/],
    [["customer"], /customer create/],
    [["key", "creat"], /There is no command "key creat"\. Did you mean "key create"\?/],
    [["key", "zzzzzz"], /There is no command "key zzzzzz"\. `lectern key --help` lists what there is/],
    [["keyy", "create"], /There is no command "keyy"\. Did you mean "key create"\?/],
    [["--data-dir", "x", "sevre"], /There is no command "sevre"\. Did you mean "serve"\?/],
    [["--data-dir", "x"], /No command is named/],
    [["--prot", "serve"], /no option --prot\. Did you mean --port\?/],
    [["serve", "--prot", "1"], /no option --prot\. Did you mean --port\?/],
    [["serve", "--port", "one"], /--port must be a whole number in 0-65535, not "one"/],
    [["search"], /Something is missing\. Usage: lectern search QUESTION/],
  ];
  for (const [words, sentence] of wrong) {
    test(`wrong usage is answered with a sentence and 2: ${words.join(" ")}`, async () => {
      const result = await lectern(words);
      expect(result.stderr).toMatch(sentence);
      expect(result.code).toBe(2);
    });
  }

  test("version", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8"));
    for (const flag of ["--version", "-V", "-v"])
      expect((await lectern([flag])).stdout).toStartWith(`lectern ${version} (`);
    expect((await lectern(["version", "--json"])).json().version).toBe(version);
  });
});
