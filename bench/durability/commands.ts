/** Commands beside the server, each written into the ledger: customers come and go, keys are made and revoked, credits added. */
import type { BenchServer } from "../server.ts";
import { runCommand } from "../server-process.ts";
import { Account } from "./ledger.ts";
import type { Customer, World } from "./world.ts";

const MOST_GUESTS = 4;
const CREDITS = 500;

/** One command of a kind chosen at random. Aborting the signal kills it. */
export async function oneCommand(server: BenchServer, world: World, signal?: AbortSignal): Promise<void> {
  const { random } = world;
  const there = [...world.customers.values()].filter(({ state }) => state === "there");
  const guests = there.filter(({ isGuest }) => isGuest);
  const keyless = there.find(({ keys }) => keys.length === 0);
  const customer = random.pick(there)!;
  const choice = random.next();
  const run = (words: readonly string[]) => runNoted(server, world, words, signal);
  if (keyless !== undefined) await createKey(server, run, keyless);
  else if (choice < 0.3 && guests.length < MOST_GUESTS) await createCustomer(world, run);
  else if (choice < 0.45) await createKey(server, run, customer);
  else if (choice < 0.6 && customer.keys.length > 1) await revokeKey(world, run, customer);
  else if (choice < 0.85 || guests.length === 0) await addCredits(run, customer);
  else await removeCustomer(world, run, random.pick(guests)!);
}

/** What was printed, or null where the command was killed: then it may have been done or not. */
type Run = (words: readonly string[]) => Promise<string | null>;

async function runNoted(
  server: BenchServer,
  world: World,
  words: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { code, output, errors } = await runCommand(server.directory, [...words, "--json"], { signal });
  if (code === 0) return output;
  if (code !== null) world.blame("failed commands", `${words.join(" ")} ended with ${code}: ${errors.trim()}`);
  else if (!signal?.aborted) world.blame("hangs", `${words.join(" ")} did not end`);
  return null;
}

async function createCustomer(world: World, run: Run): Promise<void> {
  const customerId = `guest-${world.next()}`;
  const output = await run(["customer", "create", customerId, "--credits", String(CREDITS)]);
  // One that may be there is found at the next inspection.
  if (output !== null)
    world.customers.set(customerId, {
      customerId,
      account: new Account(CREDITS * 1000),
      isGuest: true,
      keys: [],
      state: "there",
    });
}

async function createKey(server: BenchServer, run: Run, customer: Customer): Promise<void> {
  const output = await run(["key", "create", "--customer", customer.customerId]);
  if (output === null) return;
  const { keyId, apiKey } = JSON.parse(output) as { keyId: string; apiKey: string };
  customer.keys.push({ keyId, client: server.as(apiKey) });
}

/** The oldest: requests go by the newest. */
async function revokeKey(world: World, run: Run, customer: Customer): Promise<void> {
  const key = customer.keys.shift()!;
  if ((await run(["key", "revoke", key.keyId, "--yes"])) !== null) world.revoked.push(key.client);
}

async function addCredits(run: Run, { customerId, account }: Customer): Promise<void> {
  if ((await run(["credits", "add", "--customer", customerId, "100"])) !== null) account.book(100_000);
  else account.bookMaybe(100_000);
}

async function removeCustomer(world: World, run: Run, customer: Customer): Promise<void> {
  customer.state = "being removed";
  world.bulks.push({ customerId: customer.customerId, datasetId: null, began: performance.now(), ended: null });
  if ((await run(["customer", "remove", customer.customerId, "--yes"])) !== null) customer.state = "removed";
}
