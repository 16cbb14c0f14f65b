/** Tries a model in a process of its own, which a broken file may take down: its kind, its vocabulary, its chat template. */
import { fail, LecternError } from "../../foundation/errors.ts";
import { ChildProcess } from "../../remote/index.ts";
import type { AnswerWriter } from "./role.ts";

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
    threads: 1,
    sequences: 1,
    contextSize: 512,
    answerLength: 64,
    temperature: 0,
    instructions: "Answer.",
  };
  const broken = `The model ${modelPath} breaks the program that loads it.`;
  const child = new ChildProcess<AnswerWriter>({
    command,
    environment,
    reasonFor: (end) => fail("OPERATION_FAILED", { reason: broken }, undefined, end),
  });
  try {
    await child.connection.calls.probe(settings);
  } catch (error) {
    if (!(error instanceof LecternError) || error.code !== "ANSWER_UNAVAILABLE") throw error;
    const reason = String(error.values.reason).replace(/^its model/, `The model ${modelPath}`);
    throw fail("OPERATION_FAILED", { reason }, undefined, error.cause);
  } finally {
    child.kill(undefined);
    await child.exited();
  }
}
