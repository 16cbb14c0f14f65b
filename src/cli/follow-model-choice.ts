/** A running server goes over to the embedding model that `lectern model use` records, within a second. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Appliance } from "../appliance/index.ts";
import { modelDirectoryOf, type Config } from "../options/config.ts";
import type { Log } from "../foundation/log.ts";

const LOOK_EVERY_MILLISECONDS = 500;

/**
 * Looks at `lectern.toml` twice a second and reads the configuration again when it has changed; only another model has an effect
 * before the next start. A choice that cannot be followed is logged, and the present model stays; `onProblem` is told so, and null once
 * it is another. Returns how to stop.
 */
export function followModelChoice(
  appliance: Pick<Appliance, "chooseModel">,
  started: Config,
  readConfig: () => Config,
  log: Log,
  onProblem: (reason: string | null) => void,
): () => Promise<void> {
  const path = join(started.dataDirectory, "lectern.toml");
  let chosen = modelDirectoryOf(started);
  let seen = "";
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const now = await stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => "none",
    );
    if (now === seen) return;
    seen = now;
    try {
      const next = modelDirectoryOf(readConfig());
      if (next !== chosen) await appliance.chooseModel(next);
      chosen = next;
      onProblem(null);
    } catch (error) {
      const reason = (error as Error).message;
      log.error("The chosen model cannot be used; the present one stays", { reason });
      onProblem(
        "The embedding model that was chosen cannot be used, and the present one stays. `lectern doctor` says why.",
      );
    }
  }

  const timer = setInterval(() => (looking ??= look().finally(() => (looking = null))), LOOK_EVERY_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
