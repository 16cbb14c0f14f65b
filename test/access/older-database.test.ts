/** An older `access.db` that was put back, or one that lost its log: whatever the operator has done since, nothing goes on in silence. */
import { afterEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  accessDatabasePath,
  accessMigrations,
  changeNotePath,
  openAccess,
  readChangeNote,
  type Access,
} from "../../src/access/index.ts";
import { LecternError } from "../../src/foundation/errors.ts";
import { openReading } from "../../src/store/database.ts";
import { openMigrated } from "../../src/store/migrate.ts";
import { cleanUp, sampleAccess, temporaryFolder } from "./samples.ts";

afterEach(cleanUp);

const limits = { upload: 5, retrieval: 10, token: 3, free: 20 };

function opened<Result>(dataDirectory: string, work: (access: Access) => Result, acceptLoss = false): Result {
  const access = openAccess({ dataDirectory, limits, acceptLoss });
  try {
    return work(access);
  } finally {
    access.close();
  }
}

/** What opening the data directory is refused with, or null. */
function refusal(dataDirectory: string): string | null {
  try {
    opened(dataDirectory, () => {});
    return null;
  } catch (error) {
    if (!(error instanceof LecternError)) throw error;
    return error.message;
  }
}

/** The number of changes that the database itself knows of. */
function changesIn(dataDirectory: string): number {
  using database = openReading(accessDatabasePath(dataDirectory));
  return database.query<{ count: number }, []>("SELECT count FROM operatorChanges").get()!.count;
}

/** A closed database with the customers `acme`, who has a key, and `gone`, who is being removed; and a copy of it. */
function closedWithCopy() {
  const { access, dataDirectory } = sampleAccess({ dataDirectory: join(temporaryFolder(), "data") });
  const { keyId } = access.createApiKey("acme", null);
  access.createCustomer("gone", 5_000);
  access.removeCustomer("gone");
  access.close();
  const copy = join(temporaryFolder(), "copy");
  cpSync(dataDirectory, copy, { recursive: true });
  const putBack = (name: string) => {
    // Under a file of its own: SQLite may still hold the last one, which tests close without ending their process.
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(dataDirectory, name + suffix), { force: true });
    for (const present of readdirSync(copy))
      if (present === name || present === `${name}-wal`) cpSync(join(copy, present), join(dataDirectory, present));
  };
  return {
    dataDirectory,
    keyId,
    putBackDatabase: () => putBack("access.db"),
    putBackNote: () => putBack("access.changes"),
  };
}

const operatorChanges: [what: string, change: (access: Access, keyId: string) => void][] = [
  ["a customer was made", (access) => access.createCustomer("new", null)],
  ["a customer was removed", (access) => access.removeCustomer("acme")],
  ["a removed customer was forgotten", (access) => access.forgetCustomer("gone")],
  ["a key was made", (access) => access.createApiKey("acme", "new")],
  ["a key was revoked", (access, keyId) => access.revokeApiKey(keyId)],
  ["credits were added", (access) => access.addCredits("acme", 1)],
];

describe("an access.db of before", () => {
  test.each(operatorChanges)("%s is refused, with the way out, as often as it is tried", (_what, change) => {
    const { dataDirectory, keyId, putBackDatabase } = closedWithCopy();
    opened(dataDirectory, (access) => change(access, keyId));
    putBackDatabase();
    const message = refusal(dataDirectory)!;
    for (const fragment of [
      accessDatabasePath(dataDirectory),
      "lacks the last change ",
      changeNotePath(dataDirectory),
      "-wal",
      "`lectern serve --accept-loss`",
    ])
      expect(message).toContain(fragment);
    expect(refusal(dataDirectory)).toBe(message);
  });

  test("requests were charged and counted is not told from the right one: that is not worth a write each", () => {
    const { dataDirectory, putBackDatabase } = closedWithCopy();
    opened(dataDirectory, (access) => {
      access.charge("acme", 100, "search");
      access.take("acme", "retrieval", 1);
    });
    putBackDatabase();
    expect(refusal(dataDirectory)).toBeNull();
  });

  test("goes on when the loss is accepted, and from then on is the right one", () => {
    const { dataDirectory, putBackDatabase } = closedWithCopy();
    opened(dataDirectory, (access) => {
      for (let key = 0; key < 3; key++) access.createApiKey("acme", null);
    });
    putBackDatabase();
    expect(refusal(dataDirectory)).toContain("lacks the last 3 changes ");
    opened(dataDirectory, (access) => expect([access.lostChanges, access.listApiKeys().length]).toEqual([3, 1]), true);
    opened(dataDirectory, (access) => expect(access.lostChanges).toBe(0));
    expect(refusal(dataDirectory)).toBeNull();
    opened(dataDirectory, (access) => access.createApiKey("acme", null));
    putBackDatabase();
    expect(refusal(dataDirectory)).toContain("lacks the last change ");
  });

  test("is refused, and no new one is made, where it is gone altogether", () => {
    const { dataDirectory } = closedWithCopy();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(accessDatabasePath(dataDirectory) + suffix, { force: true });
    expect(refusal(dataDirectory)).toContain("lacks the last 4 changes ");
    expect(existsSync(accessDatabasePath(dataDirectory))).toBe(false);
    opened(dataDirectory, (access) => expect(access.listCustomers()).toEqual([]), true);
    expect(refusal(dataDirectory)).toBeNull();
  });

  test("its log is missing is refused", () => {
    const { access, dataDirectory } = sampleAccess();
    access.checkpoint();
    access.createApiKey("acme", null);
    const copy = temporaryFolder();
    for (const name of ["access.db", "access.changes", "secret"]) cpSync(join(dataDirectory, name), join(copy, name));
    expect(refusal(copy)).toContain("lacks the last change ");
  });

  test("an earlier Lectern used last is refused too", () => {
    const { dataDirectory } = closedWithCopy();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(accessDatabasePath(dataDirectory) + suffix, { force: true });
    openMigrated(
      accessDatabasePath(dataDirectory),
      { synchronous: "FULL", pageSize: 1024, checkpoints: true },
      accessMigrations.slice(0, 2),
    ).close();
    expect(refusal(dataDirectory)).toContain("lacks the last 4 changes ");
  });
});

describe("the right access.db", () => {
  test("opens after a crash between a change and its note, which is made up for", () => {
    const { dataDirectory, putBackDatabase, putBackNote } = closedWithCopy();
    opened(dataDirectory, (access) => access.createApiKey("acme", null));
    putBackNote();
    expect(refusal(dataDirectory)).toBeNull();
    putBackDatabase();
    expect(refusal(dataDirectory)).toContain("lacks the last change ");
  });

  test("of an earlier Lectern opens without a note, and counts the customers and keys that it has", () => {
    const dataDirectory = temporaryFolder();
    const earlier = openMigrated(
      accessDatabasePath(dataDirectory),
      { synchronous: "FULL", pageSize: 1024, checkpoints: true },
      accessMigrations.slice(0, 2),
    );
    earlier.run("INSERT INTO customers (id, created) VALUES ('acme', 0)");
    earlier.run("INSERT INTO apiKeys (id, customerId, hash, created) VALUES ('key_1', 'acme', x'00', 0)");
    earlier.close();
    expect(refusal(dataDirectory)).toBeNull();
    expect(readChangeNote(dataDirectory)).toBe(2);
  });

  test("keeps its count when a change is refused", () => {
    const { dataDirectory } = closedWithCopy();
    const before = changesIn(dataDirectory);
    opened(dataDirectory, (access) => expect(() => access.createCustomer("acme", null)).toThrow("exists already"));
    expect([changesIn(dataDirectory), readChangeNote(dataDirectory)]).toEqual([before, before]);
  });

  const damages: [what: string, damage: (note: string) => void][] = [
    ["is gone", (note) => rmSync(note)],
    ["is empty", (note) => writeFileSync(note, "")],
    ["is something else", (note) => writeFileSync(note, "x".repeat(500))],
    ["has another digit", (note) => writeFileSync(note, readFileSync(note, "utf8").replace("04", "94"))],
    ["has more behind it", (note) => writeFileSync(note, "\n", { flag: "a" })],
    [
      "is a link elsewhere",
      (note) => {
        rmSync(note);
        symlinkSync(join(note, "../secret"), note);
      },
    ],
  ];

  test.each(damages)("opens where its note %s, which is written anew", (_what, damage) => {
    const { dataDirectory, putBackDatabase } = closedWithCopy();
    const secret = readFileSync(join(dataDirectory, "secret"), "utf8");
    damage(changeNotePath(dataDirectory));
    expect(readChangeNote(dataDirectory)).toBeNull();
    expect(refusal(dataDirectory)).toBeNull();
    expect([readChangeNote(dataDirectory), readFileSync(join(dataDirectory, "secret"), "utf8")]).toEqual([4, secret]);
    opened(dataDirectory, (access) => access.createApiKey("acme", null));
    putBackDatabase();
    expect(refusal(dataDirectory)).toContain("lacks the last change ");
  });

  test("makes a key although it cannot be noted: the next who opens makes up for that", () => {
    const { dataDirectory } = closedWithCopy();
    opened(dataDirectory, (access) => {
      rmSync(changeNotePath(dataDirectory));
      mkdirSync(changeNotePath(dataDirectory));
      expect(access.createApiKey("acme", null).apiKey).toStartWith("lk_");
    });
    rmSync(changeNotePath(dataDirectory), { recursive: true });
    opened(dataDirectory, (access) => expect(access.listApiKeys()).toHaveLength(2));
    expect(readChangeNote(dataDirectory)).toBe(5);
  });
});

test("with processes that make keys at once, some of them killed, the note is never ahead, and right in the end", async () => {
  const { dataDirectory } = closedWithCopy();
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, join(import.meta.dir, "processes/make-keys.ts"), dataDirectory, "40"], {
      stderr: "inherit",
    }),
  );
  let running = true;
  const all = Promise.all(children.map((child) => child.exited)).then(() => (running = false));
  const killing = Bun.sleep(800).then(() => children.slice(0, 2).forEach((child) => child.kill("SIGKILL")));
  while (running) {
    // In this order: changes that come between the two looks are then no matter.
    const noted = readChangeNote(dataDirectory) ?? 0;
    expect(noted).toBeLessThanOrEqual(changesIn(dataDirectory));
    await Bun.sleep(1);
  }
  await Promise.all([all, killing]);
  expect(children.slice(2).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(refusal(dataDirectory)).toBeNull();
  expect(readChangeNote(dataDirectory)).toBe(changesIn(dataDirectory));
  expect(opened(dataDirectory, (access) => access.listApiKeys().length)).toBe(changesIn(dataDirectory) - 3);
});
