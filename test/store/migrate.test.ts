/** Migrations: in order, once, all or none, and never backwards. */
import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openWritable } from "../../src/store/database.ts";
import { migrate, orderMigrations } from "../../src/store/migrate.ts";
import { documentMigrations } from "../../src/store/migrations.ts";
import { accessMigrations } from "../../src/access/migrations.ts";
import { cleanUp, temporaryFolder } from "./samples.ts";

afterEach(cleanUp);

const newDatabase = () =>
  openWritable(join(temporaryFolder(), "some.db"), { synchronous: "NORMAL", pageSize: 4096, checkpoints: true });
const journal = {
  entries: [
    { tag: "first", when: 1 },
    { tag: "second", when: 2 },
  ],
};
const files = {
  first: "CREATE TABLE a (x);--> statement-breakpoint\nINSERT INTO a VALUES (1);",
  second: "INSERT INTO a VALUES (2);",
};

describe("migrating", () => {
  test("applies what is missing, once", () => {
    const database = newDatabase();
    migrate(database, orderMigrations({ entries: journal.entries.slice(0, 1) }, files));
    migrate(database, orderMigrations(journal, files));
    migrate(database, orderMigrations(journal, files));
    expect(database.query("SELECT x FROM a").values()).toEqual([[1], [2]]);
  });

  test("leaves nothing of a migration that fails", () => {
    const database = newDatabase();
    expect(() =>
      migrate(database, orderMigrations(journal, { ...files, second: "INSERT INTO nowhere VALUES (1);" })),
    ).toThrow();
    expect(database.query("SELECT name FROM sqlite_schema").values()).toEqual([]);
  });

  test("refuses a database that a newer program has migrated", () => {
    const database = newDatabase();
    migrate(database, orderMigrations(journal, files));
    expect(() => migrate(database, orderMigrations({ entries: journal.entries.slice(0, 1) }, files))).toThrow(
      "newer version of Lectern",
    );
  });

  test("a journal entry without its file is a mistake in the program", () => {
    expect(() => orderMigrations(journal, { first: files.first })).toThrow("second");
  });
});

test.each([
  ["documents", documentMigrations],
  ["access", accessMigrations],
])("every migration of drizzle/%s is in the program", (folder, migrations) => {
  const onDisk = readdirSync(join(import.meta.dir, "../../drizzle", folder)).filter((name) => name.endsWith(".sql"));
  expect(migrations.map(({ tag }) => `${tag}.sql`)).toEqual(onDisk.sort());
});
