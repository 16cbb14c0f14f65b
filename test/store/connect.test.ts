/** A connection that is closed is gone, whoever still holds its statements. */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReading, openWritable } from "../../src/store/database.ts";

test("nothing of a closed database is open or mapped any more", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-connect-"));
  try {
    const path = join(folder, "a.db");
    const writable = openWritable(path, { synchronous: "FULL", pageSize: 4096, checkpoints: true });
    writable.run("CREATE TABLE words (word TEXT)");
    const insert = writable.prepare("INSERT INTO words VALUES (?)");
    for (let word = 0; word < 1500; word++) writable.prepare("INSERT INTO words VALUES (?)").run(String(word));
    const reading = openReading(path);
    const count = reading.query<{ count: number }, []>("SELECT count(*) AS count FROM words");
    insert.run("last");
    expect(count.get()).toEqual({ count: 1501 });
    const inUse = (): string[] => [
      ...readdirSync("/proc/self/fd").flatMap((descriptor) => {
        try {
          return [readlinkSync(`/proc/self/fd/${descriptor}`)];
        } catch {
          return [];
        }
      }),
      ...readFileSync("/proc/self/maps", "utf8").split("\n"),
    ];
    const ofFolder = (): string[] => inUse().filter((name) => name.includes(folder));
    expect(ofFolder()).not.toEqual([]);
    reading.close();
    writable.close();
    expect(ofFolder()).toEqual([]);
    expect(readdirSync(folder)).toEqual(["a.db"]);
    expect(() => insert.run("later")).toThrow();
    expect(() => count.get()).toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
