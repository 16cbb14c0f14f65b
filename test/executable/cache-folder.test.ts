/** Where the executable unpacks its libraries, on machines that are not like the builder's. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describeWith, testWith, type Requirement } from "../requirements.ts";
import { command, executable, placeAlone, runs, type Alone } from "./executable.ts";

/** A folder on which nothing may be executed; needs the right to mount. */
const withoutExecution = (folder: string): string[] => [
  "unshare",
  "--mount",
  "sh",
  "-c",
  `mount -t tmpfs -o noexec none '${folder}' && exec "$@"`,
  "sh",
];

const mounting: Requirement = {
  isMet: runs([...withoutExecution("/mnt"), "true"]),
  what: "mounting to be permitted",
};

describeWith(executable)("the cache folder", () => {
  let alone: Alone;
  beforeAll(() => {
    alone = placeAlone();
    expect(command(alone, ["customer", "create", "acme", "--credits", "unlimited"]).code).toBe(0);
  });
  afterAll(() => alone?.remove());

  const ingest = (environment: Record<string, string>, words: string[] = []) =>
    command({ ...alone, environment }, [
      "ingest",
      join(alone.samples, "bicycle-maintenance.md"),
      "--dataset",
      "d",
      ...words,
    ]);

  test("a service without a home unpacks into its data directory, Workers and children included", () => {
    const { code, stderr } = ingest({ PATH: "/usr/bin:/bin", HOME: "/nonexistent" });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(readdirSync(join(alone.dataDirectory, "cache")).length).toBeGreaterThan(0);
  });

  test("the operator's choice holds for Workers and children too", () => {
    const chosen = join(alone.folder, "chosen");
    expect(ingest(alone.environment, ["--cache-dir", chosen]).code).toBe(0);
    expect(readdirSync(chosen).length).toBeGreaterThan(0);
    expect(existsSync(join(alone.folder, "home/.cache"))).toBe(false);
  });

  const libraries = (cache: string): string[] =>
    [...new Bun.Glob("**/*.node").scanSync(cache)].map((path) => join(cache, path));
  /** A library of the same length, time and mode, and another content. */
  const alter = (path: string): void => {
    const { atime, mtime, mode } = statSync(path);
    chmodSync(path, 0o700);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    chmodSync(path, mode);
    utimesSync(path, atime, mtime);
  };
  const hashes = (cache: string): string[] =>
    libraries(cache)
      .sort()
      .map((path) => Bun.hash(readFileSync(path)).toString(16));

  test("altered libraries are not loaded, whatever else the folder has been through, and lie there anew", () => {
    const cache = join(alone.folder, "altered");
    const search = () => command(alone, ["search", "chain", "--dataset", "d", "--cache-dir", cache]);
    expect(search().code).toBe(0);
    const whole = hashes(cache);
    for (const mode of [0o700, 0o777]) {
      libraries(cache).forEach(alter);
      chmodSync(cache, mode);
      expect(hashes(cache)).not.toEqual(whole);
      const { code, stderr } = search();
      expect(stderr).toContain("not trusted and are unpacked anew");
      expect(code).toBe(0);
      expect(hashes(cache)).toEqual(whole);
      expect(statSync(cache).mode & 0o022).toBe(0);
    }
    expect(search().stderr).toBe("");
  }, 60_000);

  test("doctor hashes every library, says which is damaged, and has it mended", () => {
    const cache = join(alone.folder, "examined");
    const examine = () => command(alone, ["doctor", "--json", "--cache-dir", cache]);
    const findings = (stdout: string) =>
      (JSON.parse(stdout) as { subject: string; state: string; sentence: string }[]).filter(
        ({ subject }) => subject === "cache",
      );
    expect(findings(examine().stdout)).toMatchObject([{ state: "good" }]);
    const [library] = libraries(cache);
    alter(library!);
    const { code, stdout } = examine();
    expect(findings(stdout)).toMatchObject([
      { state: "warning", sentence: expect.stringContaining(library!) },
    ] as never);
    expect(code).toBe(0);
    expect(findings(examine().stdout)).toMatchObject([{ state: "good" }]);
  }, 60_000);

  testWith(mounting)("one that forbids executing is told, with what to do", () => {
    const closed = join(alone.folder, "closed");
    mkdirSync(closed);
    const { code, stderr } = command(alone, ["model", "verify", "--cache-dir", closed], withoutExecution(closed));
    expect(code).toBe(1);
    expect(stderr).toBe("");
    const search = command(
      alone,
      ["search", "chain", "--dataset", "d", "--cache-dir", closed],
      withoutExecution(closed),
    );
    expect(search.stderr).toContain("mounted noexec. Set LECTERN_CACHE_DIR to a folder where programs may run.");
    expect(search.code).toBe(1);
  });
});
