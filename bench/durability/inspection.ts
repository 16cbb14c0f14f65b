/** What a restarted server is asked, and what is looked for in its data directory, to see whether the ledger holds. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { uploadForm, type ListedFile, type SearchHit } from "../client.ts";
import { timed, type BenchServer } from "../server.ts";
import { commandJson, runCommand } from "../server-process.ts";
import { Account, fateOf, mayHaveBeenDeleted, type Uploaded } from "./ledger.ts";
import { priceOfFiles, searchPaid, sha256 } from "./requests.ts";
import { clientOf, DATASETS, type World } from "./world.ts";

const FILE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What a start does in the background is given so long, milliseconds. */
const PATIENCE = 10_000;
const CLIENTS = 3;
const DELETED_TRIED = 8;

/** Looks at everything, blames what is wrong, and takes what is so for what is known. Nothing else may run meanwhile. */
export async function inspect(server: BenchServer, world: World): Promise<void> {
  await inspectStaging(server, world);
  const customers = new Map(
    (await commandJson<{ customerId: string; credits: number }[]>(server.directory, ["customer", "list"])).map(
      (record) => [record.customerId, record.credits * 1000],
    ),
  );
  inspectCustomers(world, customers);
  const listed = await listFiles(world);
  const present = inspectFates(world, listed);
  inspectBalances(world, customers);
  world.files = present;
  world.bulks = [];
  await timed(present, CLIENTS, (file) => inspectFile(world, file));
  await inspectDeleted(world);
  await inspectKeys(server, world);
  await inspectDisk(server, world, new Set(listed.keys()));
}

/** Blames each finding of `lectern doctor` that says that something is wrong. */
export async function inspectWithDoctor(server: BenchServer, world: World): Promise<void> {
  const { code, output, errors } = await runCommand(server.directory, ["doctor", "--json"], { limit: 120_000 });
  if (code === null) return world.blame("hangs", "doctor did not end");
  if (!output.startsWith("[")) return world.blame("found by doctor", `doctor ended with ${code}: ${errors}`);
  for (const { subject, state, sentence } of JSON.parse(output) as {
    subject: string;
    state: string;
    sentence: string;
  }[])
    if (state === "bad") world.blame("found by doctor", `${subject}: ${sentence}`);
}

async function inspectStaging(server: BenchServer, world: World): Promise<void> {
  const folder = join(server.directory, "staging");
  if (!(await comesTrue(() => !existsSync(folder) || readdirSync(folder).length === 0)))
    world.blame("left in staging", readdirSync(folder).join(", "));
}

/** Customers of unanswered commands become known or are forgotten. */
function inspectCustomers(world: World, present: ReadonlyMap<string, number>): void {
  for (const customer of [...world.customers.values()]) {
    const isThere = present.has(customer.customerId);
    if (customer.state === "there" && !isThere)
      world.blame("wrong keys or customers", `${customer.customerId} was not removed and is not there`);
    if (customer.state === "removed" && isThere)
      world.blame("wrong keys or customers", `${customer.customerId} was removed and is there`);
    if (isThere) customer.state = "there";
    else {
      world.customers.delete(customer.customerId);
      world.files = world.files.filter((file) => file.customerId !== customer.customerId);
    }
  }
  for (const [customerId, balance] of present) {
    if (world.customers.has(customerId)) continue;
    if (!customerId.startsWith("guest-"))
      world.blame("wrong keys or customers", `nobody made the customer ${customerId}`);
    world.customers.set(customerId, {
      customerId,
      account: new Account(balance),
      isGuest: true,
      keys: [],
      state: "there",
    });
  }
}

async function listFiles(world: World): Promise<Map<string, ListedFile>> {
  const listed = new Map<string, ListedFile>();
  for (const customer of world.active()) {
    for (const datasetId of DATASETS) {
      const { status, body } = await clientOf(customer).call("GET", `/v1/files?datasetId=${datasetId}`);
      if (status !== 200 && status !== 404)
        world.blame(
          status === 0 ? "hangs" : "wrong keys or customers",
          `the files of ${customer.customerId} are answered ${status}: ${JSON.stringify(body)}`,
        );
      for (const file of (body as { files?: ListedFile[] }).files ?? []) listed.set(file.fileId, file);
    }
  }
  return listed;
}

/** Blames files that are there or not against the ledger, and returns those that are there. */
function inspectFates(world: World, listed: ReadonlyMap<string, ListedFile>): Uploaded[] {
  const idOf = new Map([...listed.values()].map((file) => [file.originalName.replace(/\.md$/, ""), file.fileId]));
  const known = new Set(world.files.map((file) => file.word));
  for (const word of idOf.keys()) if (!known.has(word)) world.blame("ghosts", `nobody uploaded ${word}`);
  const present: Uploaded[] = [];
  const requests = Map.groupBy(world.files, (file) => file.request);
  for (const files of requests.values()) {
    const isThere = (file: Uploaded) => idOf.has(file.word);
    const some = files.filter(isThere).length;
    if (files[0]!.outcome === "unanswered") bookUnanswered(world, files, some);
    for (const file of files) {
      const fate = fateOf(file, world.bulks);
      if (fate === "there" && !isThere(file)) world.blame("lost", `${file.word} (${file.fileId})`);
      if (fate === "gone" && isThere(file))
        world.blame(file.outcome === "refused" ? "ghosts" : "back", `${file.word} (${file.fileId})`);
      if (isThere(file))
        present.push({
          ...file,
          fileId: idOf.get(file.word)!,
          outcome: "stored",
          ended: file.ended ?? performance.now(),
          deletion: null,
        });
      else if (file.fileId !== null) world.deleted.push({ fileId: file.fileId, customerId: file.customerId });
    }
  }
  return present;
}

/** What is there was paid. What is not was not, unless it was deleted again before anybody looked. */
function bookUnanswered(world: World, files: readonly Uploaded[], present: number): void {
  const { account } = world.customers.get(files[0]!.customerId)!;
  const mayBeDeleted = mayHaveBeenDeleted(files[0]!, world.bulks);
  if (present > 0) account.book(-priceOfFiles(files.length));
  else if (mayBeDeleted) account.bookMaybe(-priceOfFiles(files.length));
  if (present > 0 && present < files.length && !mayBeDeleted)
    world.blame("half there", `${present} of ${files.length} files of one upload, ${files[0]!.word} and its next`);
}

function inspectBalances(world: World, balances: ReadonlyMap<string, number>): void {
  for (const { customerId, account } of world.customers.values()) {
    const balance = Math.round(balances.get(customerId)!);
    if (!account.allows(balance))
      world.blame("wrong balances", `${customerId} has ${balance} thousandths and should have ${account}`);
    account.settle(balance);
  }
}

/** Its bytes, its metadata, and that it is found. */
async function inspectFile(world: World, file: Uploaded): Promise<void> {
  const customer = world.customers.get(file.customerId)!;
  const { answer, bytes } = await clientOf(customer).download(file.fileId!);
  if (bytes === null || sha256(bytes) !== file.sha256)
    world.blame(
      answer.isLate ? "hangs" : "lost",
      `the bytes of ${file.word} (${file.fileId}): ${bytes === null ? `answered ${answer.status}` : "others"}`,
    );
  const { status, body, isLate } = await searchPaid(customer, `Where is ${file.word}?`, file.fileId!, file.datasetId);
  const hits = (body as { data?: SearchHit[] }).data ?? [];
  if (!hits.some((hit) => hit.pageContent.includes(file.word) && hit.metadata.request === file.request))
    world.blame(
      isLate ? "hangs" : "half there",
      `${file.word} (${file.fileId}) is not found: ${status}, ${hits.length} passages`,
    );
}

async function inspectDeleted(world: World): Promise<void> {
  for (let tried = 0; tried < DELETED_TRIED; tried++) {
    const deleted = world.random.pick(world.deleted);
    const customer = deleted && world.customers.get(deleted.customerId);
    if (deleted === undefined || customer === undefined || customer.keys.length === 0) continue;
    for (const datasetId of DATASETS) {
      const { body } = await searchPaid(customer, "Where is the beacon?", deleted.fileId, datasetId);
      if (((body as { data?: SearchHit[] }).data ?? []).length > 0)
        world.blame("back", `passages of ${deleted.fileId}`);
    }
    const { status } = await clientOf(customer).call("GET", `/v1/files/${deleted.fileId}`);
    if (status !== 404) world.blame("back", `${deleted.fileId} is answered ${status}`);
  }
}

/** A revoked key, one that is not, and a token. */
async function inspectKeys(server: BenchServer, world: World): Promise<void> {
  const path = `/v1/files?datasetId=${DATASETS[0]}`;
  const revoked = world.random.pick(world.revoked);
  if (revoked !== undefined && (await revoked.call("GET", path)).status !== 401)
    world.blame("wrong keys or customers", "a revoked key is accepted");
  const customer = world.random.pick(world.active());
  const key = customer && world.random.pick(customer.keys);
  if (key !== undefined && (await key.client.call("GET", path)).status === 401)
    world.blame("wrong keys or customers", `the key ${key.keyId} of ${customer!.customerId} is not accepted`);
  world.tokens = world.tokens.filter(({ customerId }) => world.customers.has(customerId)).slice(-200);
  const token = world.random.pick(world.tokens);
  if (token !== undefined && (await token.client.call("GET", path)).status === 401)
    world.blame("wrong keys or customers", `a token of ${token.customerId} is not accepted`);
  const stranger = server.as(`lk_${"x".repeat(43)}`);
  if (
    (
      await stranger.call(
        "POST",
        "/v1/files/upload",
        uploadForm({ datasetId: DATASETS[0] }, { "stranger.md": "# Nobody" }),
      )
    ).status !== 401
  )
    world.blame("wrong keys or customers", "a key that nobody made is accepted");
}

/** The stored bytes are those of the files that are listed, and no others. */
async function inspectDisk(server: BenchServer, world: World, listed: ReadonlySet<string>): Promise<void> {
  const withoutKey = [...world.customers.values()].some(({ keys }) => keys.length === 0);
  const onDisk = () =>
    new Set(
      readdirSync(join(server.directory, "files"), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && FILE_ID.test(entry.name))
        .map((entry) => entry.name),
    );
  if (!withoutKey && !(await comesTrue(() => onDisk().isSubsetOf(listed))))
    world.blame("ghosts", `stored bytes that no file owns: ${[...onDisk().difference(listed)].join(", ")}`);
  const missing = listed.difference(onDisk());
  if (missing.size > 0) world.blame("lost", `the stored bytes of ${[...missing].join(", ")}`);
}

async function comesTrue(condition: () => boolean): Promise<boolean> {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > PATIENCE) return false;
    await Bun.sleep(20);
  }
  return true;
}

/** Files that a start set aside rather than deleted. */
export function setAside(server: BenchServer): number {
  const folder = join(server.directory, "lost+found");
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true, recursive: true }).filter(
        (entry) => entry.isFile() && FILE_ID.test(entry.name),
      ).length
    : 0;
}
