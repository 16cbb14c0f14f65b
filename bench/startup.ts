/** Time from the start of the process to its first answer, on an empty data directory, libraries unpacked. */
import { BenchServer, executable } from "./server.ts";
import { percentile, report } from "./statistics.ts";

const ROUNDS = 10;

export async function benchStartup(): Promise<void> {
  const ready: number[] = [],
    bare: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const server = await new BenchServer().start();
    await server.stop();
    server.remove();
    const started = performance.now();
    await Bun.spawn([executable, "version"], { stdout: "ignore" }).exited;
    // The first round may unpack the libraries.
    if (round === 0) continue;
    ready.push(server.readyMilliseconds);
    bare.push(performance.now() - started);
  }
  report({
    name: "ready on an empty data directory",
    value: percentile(ready, 0.5),
    unit: "ms",
    baseline: { name: "lectern version", value: percentile(bare, 0.5) },
    goal: { atMost: 300 },
  });
}
