/**
 * Kills, again and again on one data directory, amid everything that writes: uploads of several files, deletions of one
 * file, of a dataset and of everything, tokens, and commands beside the server. The server dies while it works, while it
 * stops and while it starts. After each restart what was answered is so, what was refused is not, and the rest is whole or not there.
 */
import { BenchServer } from "../server.ts";
import { commandJson, ServerProcess } from "../server-process.ts";
import type { BenchOptions } from "../options.ts";
import { Random } from "../random.ts";
import { percentile, report } from "../statistics.ts";
import { oneCommand } from "./commands.ts";
import { inspect, inspectWithDoctor, setAside } from "./inspection.ts";
import { Account } from "./ledger.ts";
import { oneRequest } from "./requests.ts";
import { FAULTS, World } from "./world.ts";

const WORKERS = 3;
/** Requests and commands that are done before a kill, at most. By number rather than by time, so that a busy machine does as much. */
const MOST_STEPS = 80;
const CREDITS = 10_000;
const ROUNDS_PER_REPORT = 50;

export async function benchDurability(options: BenchOptions): Promise<void> {
  const world = new World(new Random(options.seed));
  const server = new BenchServer();
  await makeCustomers(server, world);
  const ready: number[] = [];
  const kills = { "at work": 0, stopping: 0, starting: 0 };
  const began = performance.now();
  for (let round = 1; round <= options.rounds; round++) {
    await server.start();
    ready.push(server.readyMilliseconds);
    await inspect(server, world);
    await workUntilKilled(server, world, kills);
    await dieStarting(server, world, kills);
    if (round % ROUNDS_PER_REPORT !== 0 && round !== options.rounds) continue;
    await inspectWithDoctor(server, world);
    console.log(
      `round ${round}, ${((performance.now() - began) / 1000).toFixed(0)} s: ${world.files.length} files, ${world.deleted.length} deleted; ${summary(world)}`,
    );
  }
  await server.start();
  await inspect(server, world);
  await server.stop();
  console.log(
    `${options.rounds} rounds, killed ${Object.entries(kills)
      .map(([when, count]) => `${count} times ${when}`)
      .join(
        ", ",
      )}; ${world.files.length} files kept, ${world.deleted.length} deleted; set aside by starts: ${setAside(server)}`,
  );
  for (const fault of FAULTS) report({ name: fault, value: world.faults.get(fault)!, unit: "", goal: { atMost: 0 } });
  report({
    name: "slowest restart to ready",
    value: percentile(ready, 1),
    unit: "ms",
    baseline: { name: "median", value: percentile(ready, 0.5) },
    goal: { atMost: 2000 },
  });
  if (summary(world) === "no faults") server.remove();
  else console.log(`The data directory is kept: ${server.directory}`);
}

/** By commands, before any server: no customer is unlimited, so that every charge is seen. */
async function makeCustomers(server: BenchServer, world: World): Promise<void> {
  for (const customerId of ["alpha", "beta"]) {
    await commandJson(server.directory, ["customer", "create", customerId, "--credits", String(CREDITS)]);
    const { keyId, apiKey } = await server.createKey(customerId);
    world.customers.set(customerId, {
      customerId,
      account: new Account(CREDITS * 1000),
      isGuest: false,
      keys: [{ keyId, client: server.as(apiKey) }],
      state: "there",
    });
  }
}

/** Half of the times the commands die with the server, as when a machine does. */
async function workUntilKilled(
  server: BenchServer,
  world: World,
  kills: Record<"at work" | "stopping", number>,
): Promise<void> {
  const { random } = world;
  let running = true;
  let left = 1 + random.below(MOST_STEPS);
  const enough = Promise.withResolvers<void>();
  const commands = new AbortController();
  const repeat = async (step: () => Promise<void>): Promise<void> => {
    while (running) {
      await step();
      if (--left === 0) enough.resolve();
    }
  };
  const work = [
    ...Array.from({ length: WORKERS }, () => repeat(() => oneRequest(server, world))),
    repeat(() => oneCommand(server, world, commands.signal)),
  ];
  await enough.promise;
  if (random.chance(0.2)) {
    kills.stopping++;
    const stopped = server.stop("SIGTERM");
    await Promise.race([stopped, Bun.sleep(random.next() * 300)]);
  } else {
    kills["at work"]++;
  }
  if (random.chance(0.5)) commands.abort();
  await server.stop("SIGKILL");
  running = false;
  await Promise.all(work);
}

/** Starts that are killed before or just after they are done. */
async function dieStarting(server: BenchServer, world: World, kills: Record<"starting", number>): Promise<void> {
  while (world.random.chance(0.25)) {
    kills.starting++;
    const start = new ServerProcess(server.directory, { LECTERN_LOG_LEVEL: "warn" }, [], true);
    await Bun.sleep(world.random.next() * server.readyMilliseconds * 1.3);
    await start.stop("SIGKILL");
  }
}

function summary(world: World): string {
  return (
    [...world.faults]
      .filter(([, count]) => count > 0)
      .map(([fault, count]) => `${count} ${fault}`)
      .join(", ") || "no faults"
  );
}
