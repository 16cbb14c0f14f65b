/** The hostile customer, a process of its own: `bun bench/hostile/attacker.ts URL KEY POORKEY`. Goes on until SIGTERM, then prints what it was answered as JSON. */
import { tricks, type Target } from "./tricks.ts";

const [url, key, poorKey] = process.argv.slice(2) as [string, string, string];
const target: Target = { url, key, poorKey };
const answers: Record<string, Record<string, number>> = {};

process.on("SIGTERM", () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ answers, processorSeconds: (user + system) / 1e6 }));
  process.exit(0);
});

/** Milliseconds between the first turns of one trick and of the next. */
const HEAD_START = 300;

for (const [name, trick] of Object.entries(tricks)) {
  const counts = (answers[name] = {} as Record<string, number>);
  for (let loop = 0; loop < trick.times; loop++) {
    void (async () => {
      for (let turn = loop; ; turn += trick.times) {
        await trick.run(target, (status) => (counts[status] = (counts[status] ?? 0) + 1), turn);
        // A turn that fails at once must not keep the other loops from running.
        await Bun.sleep(1);
      }
    })();
  }
  await Bun.sleep(HEAD_START);
}
