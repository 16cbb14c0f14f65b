/** Tries a model in a process of its own, which a broken file may take down: its kind, its vocabulary, its chat template. */
import { fail } from "../../errors.ts";
import { ModelProcess } from "./model-process.ts";

export interface ProbeOptions {
  /** Runs the child role. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly modelPath: string;
}

/** Reads no weights, and so takes little memory and time. Throws OPERATION_FAILED with a sentence that names what is wrong. */
export async function probeModel({ command, environment, modelPath }: ProbeOptions): Promise<void> {
  const settings = {
    modelPath,
    probe: true,
    threads: 1,
    sequences: 1,
    contextSize: 512,
    answerLength: 64,
    temperature: 0,
    instructions: "Answer.",
  };
  const process = new ModelProcess(command, environment, settings, () => {});
  try {
    await process.opened;
  } catch (error) {
    const { values = {}, cause } = error as { values?: Record<string, unknown>; cause?: unknown };
    const reason = String(values.reason ?? (error as Error).message).replace(/^its model/, `The model ${modelPath}`);
    throw fail(
      "OPERATION_FAILED",
      { reason: reason.startsWith("The model") ? reason : `The model ${modelPath} breaks the program that loads it.` },
      undefined,
      cause,
    );
  } finally {
    process.kill(undefined);
    await process.ended();
  }
}
