/**
 * Ten customers, one of them hostile with every trick at once. What do the other nine notice of it, compared with the same
 * server before and after? The limits are the server's defaults.
 */
import { join } from "node:path";
import type { BenchOptions } from "../options.ts";
import { processorSeconds } from "../process-figures.ts";
import { BenchServer } from "../server.ts";
import { percentile, report } from "../statistics.ts";
import { readPassages } from "../text.ts";
import { Neighbour, type Spell } from "./neighbours.ts";

const NEIGHBOURS = 9;
const PASSAGES = 240;
const ERRORS_SHOWN = 10;
/** Of the time under attack. */
const QUIET_SHARE = 0.5;
/** For what the hostile customer has begun, so that the time after it shows the server and not its last requests. */
const CALM_SECONDS = 3;

export async function benchHostile(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(PASSAGES * NEIGHBOURS, options.text);
  console.log(`text: ${origin}`);
  const environment = {
    LECTERN_LOG_LEVEL: "error",
    ...(options.extractSeconds !== null && { LECTERN_EXTRACT_SECONDS: String(options.extractSeconds) }),
  };
  const server = new BenchServer(undefined, environment);
  try {
    const neighbours: Neighbour[] = [];
    for (let number = 0; number < NEIGHBOURS; number++)
      neighbours.push(
        new Neighbour(
          await server.createCustomer(`neighbour-${number}`),
          passages.slice(number * PASSAGES, (number + 1) * PASSAGES),
        ),
      );
    await server.createCustomer("hostile");
    await server.createCustomer("hostile-poor", 0);
    const keys = [(await server.createKey("hostile")).apiKey, (await server.createKey("hostile-poor")).apiKey];
    await server.start();
    for (const neighbour of neighbours) await neighbour.settle();

    const spells: Record<string, Spell> = {};
    spells.before = await liveTogether(neighbours, options.seconds * QUIET_SHARE);
    const attack = Bun.spawn([process.execPath, join(import.meta.dir, "attacker.ts"), server.url, ...keys], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    try {
      const used = processorSeconds(server.pid);
      spells.under = await liveTogether(neighbours, options.seconds);
      console.log(
        `the server used ${(processorSeconds(server.pid) - used).toFixed(1)} s of processor time meanwhile, its children not counted`,
      );
    } finally {
      attack.kill("SIGTERM");
    }
    printAttack(await new Response(attack.stdout).text());
    await Bun.sleep(CALM_SECONDS * 1000);
    spells.after = await liveTogether(neighbours, options.seconds * QUIET_SHARE);
    reportSpells(spells);
  } finally {
    await server.stop();
    server.remove();
  }
}

async function liveTogether(neighbours: readonly Neighbour[], seconds: number): Promise<Spell> {
  const spells = await Promise.all(neighbours.map((neighbour) => neighbour.live(seconds)));
  return {
    searches: spells.flatMap(({ searches }) => searches),
    uploads: spells.flatMap(({ uploads }) => uploads),
    errors: spells.flatMap(({ errors }) => errors),
  };
}

function printAttack(output: string): void {
  const { answers, processorSeconds: used } = JSON.parse(output) as {
    answers: Record<string, Record<string, number>>;
    processorSeconds: number;
  };
  console.log(`the hostile customer used ${used.toFixed(1)} s of processor time and was answered (0: cut off):`);
  for (const [trick, counts] of Object.entries(answers))
    console.log(
      `  ${trick.padEnd(32)} ${Object.entries(counts)
        .map(([status, count]) => `${count} × ${status}`)
        .join(", ")}`,
    );
}

function reportSpells(spells: Readonly<Record<string, Spell>>): void {
  const { before, under, after } = spells as Record<"before" | "under" | "after", Spell>;
  for (const [name, share, goal] of [
    ["search p50", 0.5, null],
    ["search p99", 0.99, 100],
    ["search, slowest", 1, null],
  ] as const) {
    reportBeside(name, (spell) => percentile(spell.searches, share), goal);
  }
  for (const [name, share, goal] of [
    ["small upload p50", 0.5, null],
    ["small upload p99", 0.99, 2000],
    ["small upload, slowest", 1, 2000],
  ] as const) {
    reportBeside(name, (spell) => percentile(spell.uploads, share), goal);
  }
  for (const [name, spell] of Object.entries(spells))
    report({ name: `errors ${name} the attack`, value: spell.errors.length, unit: "", goal: { atMost: 0 } });
  const errors = Map.groupBy(
    [before, under, after].flatMap((spell) => spell.errors),
    (error) => error,
  );
  for (const [error, times] of [...errors].slice(0, ERRORS_SHOWN)) console.log(`  ${times.length} × ${error}`);

  function reportBeside(name: string, figure: (spell: Spell) => number, goal: number | null): void {
    report({
      name: `the others' ${name} under attack`,
      value: figure(under),
      unit: "ms",
      baseline: { name: `before`, value: figure(before) },
      ...(goal !== null && { goal: { atMost: goal } }),
    });
    report({
      name: `the others' ${name} after it`,
      value: figure(after),
      unit: "ms",
      baseline: { name: `before`, value: figure(before) },
    });
  }
}
