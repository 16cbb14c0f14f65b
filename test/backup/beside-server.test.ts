/** A backup beside a server that is uploaded to, deleted from and killed: one moment of it, whole or not there, and nobody is held up. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { lectern, serve, spawnLectern, temporaryFolder, type Server } from "../cli/lectern.ts";
import { until } from "../harness.ts";
import { FLAGS, listed, remove, upload } from "./directory.ts";

const CREDITS = 100_000;
const NAMES = ["north", "south", "east"];

let folder: ReturnType<typeof temporaryFolder>;
let server: Server;
let key: string;
let payingKey: string;
beforeEach(async () => {
  folder = temporaryFolder();
  server = await serve(folder.dataDirectory, FLAGS);
  key = server.apiKey!;
  const data = ["--data-dir", folder.dataDirectory];
  await lectern(["customer", "create", "payer", "--credits", String(CREDITS), ...data]);
  payingKey = (await lectern(["key", "create", "--customer", "payer", "--json", ...data])).json().apiKey;
});
afterEach(async () => {
  await server.stop("SIGKILL");
  folder.remove();
});

/** What clients were told. */
class Traffic {
  /** Answered as stored, and nobody has asked for their deletion. */
  readonly stored = new Set<string>();
  /** Answered as deleted. */
  readonly deleted = new Set<string>();
  /** Names under which something was answered as stored. */
  readonly named = new Set<string>();
  readonly refused: string[] = [];
  private running = true;
  private readonly clients: Promise<void>[];

  constructor() {
    const client = async (work: (turn: number) => Promise<void>): Promise<void> => {
      for (let turn = 0; this.running; turn++) await work(turn);
    };
    this.clients = [
      client((turn) => this.pay(turn)),
      client((turn) => this.comeAndGo(turn)),
      ...NAMES.map((name) => client((turn) => this.replace(name, turn))),
    ];
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.clients);
  }

  private async pay(turn: number): Promise<void> {
    const ids = await upload(server, payingKey, { [`paid-${turn}.txt`]: `Paid for the ${turn}th time.` });
    if (ids === null) this.refused.push(`paid-${turn}`);
    await Bun.sleep(5);
  }

  private async comeAndGo(turn: number): Promise<void> {
    const ids = await upload(server, key, {
      "a.txt": `Comes ${turn}.`,
      "b.txt": `Stays ${turn}. ${"Long. ".repeat(3000)}`,
    });
    if (ids === null) {
      this.refused.push(`comes-${turn}`);
      await Bun.sleep(20);
      return;
    }
    const [leaving, staying] = ids;
    this.stored.add(staying!);
    if (await remove(server, key, leaving!)) this.deleted.add(leaving!);
  }

  private async replace(name: string, turn: number): Promise<void> {
    const ids = await upload(server, key, { "gate.txt": `The ${name} gate, ${turn}.` }, { externalId: name });
    if (ids === null) this.refused.push(`${name}-${turn}`);
    else this.named.add(name);
    await Bun.sleep(5);
  }
}

/** Restores, starts, and compares with what clients had been told before and behind the backup. */
async function expectMoment(backup: string, stored: ReadonlySet<string>, deleted: ReadonlySet<string>): Promise<void> {
  const restored = `${backup}-restored`;
  const restoring = await lectern(["restore", backup, "--data-dir", restored]);
  expect(restoring.stderr).toBe("");
  const data = ["--data-dir", restored];
  const doctor = await lectern(["doctor", "--deep", ...data]);
  expect(doctor.stdout).not.toContain("WRONG");
  const again = await serve(restored, FLAGS);
  try {
    const there = new Set(await listed(again, key));
    expect([...stored].filter((fileId) => !there.has(fileId))).toEqual([]);
    expect([...deleted].filter((fileId) => there.has(fileId))).toEqual([]);
    for (const name of NAMES) {
      const init = { headers: { authorization: `Bearer ${key}` } };
      const found = await fetch(`${again.url}/v1/files?datasetId=d&externalId=${name}`, init);
      expect([backup, name, ((await found.json()) as { files: unknown[] }).files.length]).toEqual([backup, name, 1]);
    }
    const paid = (await listed(again, payingKey)).length;
    const balance = (await lectern(["credits", "show", "--customer", "payer", "--json", ...data])).json();
    expect(JSON.stringify(balance)).toContain(String(CREDITS - paid));
    const after = await lectern(["doctor", "--deep", ...data]);
    expect(after.stdout).not.toContain("WRONG");
  } finally {
    await again.stop();
  }
}

test("each backup is one moment of both databases and all files", async () => {
  const traffic = new Traffic();
  await until(() => traffic.named.size === NAMES.length && traffic.deleted.size > 0, 30_000);
  const backups: { path: string; stored: Set<string>; deleted: Set<string> }[] = [];
  for (const [name, since] of [["one"], ["two", "one"], ["three.tar.zst"], ["four", "two"]] as const) {
    const path = join(folder.path, name);
    const [stored, deleted] = [new Set(traffic.stored), new Set(traffic.deleted)];
    const words = since === undefined ? [] : ["--since", join(folder.path, since)];
    const made = await lectern(["backup", path, ...words, "--data-dir", folder.dataDirectory]);
    expect(made.stderr).toBe("");
    backups.push({ path, stored, deleted });
  }
  await traffic.stop();
  expect(traffic.refused).toEqual([]);
  expect(traffic.deleted.size).toBeGreaterThan(5);
  for (const { path, stored, deleted } of backups) await expectMoment(path, stored, deleted);
}, 240_000);

test("writers wait for a hundred moments, and none fails", async () => {
  const traffic = new Traffic();
  await Bun.sleep(500);
  const script = join(import.meta.dir, "processes/take-moments.ts");
  const child = Bun.spawn([process.execPath, script, folder.dataDirectory, "100"], { stdout: "pipe" });
  const held = (await new Response(child.stdout).text()).trim().split("\n");
  expect(await child.exited).toBe(0);
  await traffic.stop();
  expect(held).toHaveLength(100);
  expect(traffic.refused).toEqual([]);
}, 120_000);

test("whoever is killed, a backup is whole or not there, and nothing is left of it", async () => {
  const data = ["--data-dir", folder.dataDirectory];
  let whole = 0;
  for (let round = 0; round < 8; round++) {
    const traffic = new Traffic();
    const path = join(folder.path, `round-${round}${round % 4 < 2 ? "" : ".tar.zst"}`);
    await until(() => traffic.named.size === NAMES.length, 30_000);
    const [stored, deleted] = [new Set(traffic.stored), new Set(traffic.deleted)];
    const backup = spawnLectern(["backup", path, ...data]);
    await Bun.sleep(150 + 60 * round);
    if (round % 2 === 0) backup.process.kill("SIGKILL");
    else await server.stop("SIGKILL");
    const { code, stderr } = await backup.result;
    await traffic.stop();
    if (round % 2 === 1) {
      expect(stderr.replace(/^.*had not been cleared up yet.*\n/, "")).toBe("");
      expect(code).toBe(0);
      server = await serve(folder.dataDirectory, FLAGS);
    }
    if (!existsSync(path)) continue;
    whole++;
    expect((await lectern(["backup", "verify", path])).code).toBe(0);
    await expectMoment(path, stored, deleted);
  }
  expect(whole).toBeGreaterThanOrEqual(4);
  expect((await lectern(["backup", join(folder.path, "last"), ...data])).code).toBe(0);
  expect(readdirSync(folder.path).filter((name) => name.startsWith("."))).toEqual([]);
}, 400_000);
