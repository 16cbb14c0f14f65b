/** Where the executable unpacks its libraries, on machines that are not like the builder's. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { builtExecutable, command, placeAlone, runs, type Alone } from "./executable.ts";

/** A folder on which nothing may be executed; needs the right to mount. */
const withoutExecution = (folder: string): string[] => ["unshare", "--mount", "sh", "-c", `mount -t tmpfs -o noexec none '${folder}' && exec "$@"`, "sh"];

describe.skipIf(builtExecutable === null)("the cache folder", () => {
  let alone: Alone;
  beforeAll(() => {
    alone = placeAlone();
    expect(command(alone, ["customer", "create", "acme", "--credits", "unlimited"]).code).toBe(0);
  });
  afterAll(() => alone?.remove());

  const ingest = (environment: Record<string, string>, words: string[] = []) =>
    command({ ...alone, environment }, ["ingest", join(alone.samples, "bicycle-maintenance.md"), "--dataset", "d", ...words]);

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

  const place = builtExecutable === null ? "" : "/mnt";
  test.skipIf(place === "" || !runs([...withoutExecution(place), "true"]))("one that forbids executing is told, with what to do", () => {
    const closed = join(alone.folder, "closed");
    mkdirSync(closed);
    const { code, stderr } = command(alone, ["model", "verify", "--cache-dir", closed], withoutExecution(closed));
    expect(code).toBe(1);
    expect(stderr).toBe("");
    const search = command(alone, ["search", "chain", "--dataset", "d", "--cache-dir", closed], withoutExecution(closed));
    expect(search.stderr).toContain("mounted noexec. Set LECTERN_CACHE_DIR to a folder where programs may run.");
    expect(search.code).toBe(1);
  });
});
