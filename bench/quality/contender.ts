/** One of the programs that a question set is measured on: a build, or one with other options, on a data directory of its own. */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BenchServer, executable, LIFTED } from "../server.ts";
import { runCommand } from "../server-process.ts";
import { DOCUMENTS, type Passage, type QuestionSet } from "./question-set.ts";
import { UploadedSet } from "./uploaded-set.ts";

export interface Contender {
  readonly name: string;
  readonly program: string;
  readonly environment: Record<string, string>;
}

/** The build that is measured. */
export const measured: Contender = { name: "this", program: executable, environment: {} };

/**
 * What `--against` names: an executable, the measured build under other variables (`NAME=VALUE`, several with commas between
 * them), or first one and then the other with a comma. Throws an Error that says what it should be.
 */
export function readContender(written: string): Contender {
  const parts = written.split(",").map((part) => part.trim());
  const programs = parts.filter((part) => !part.includes("="));
  const environment = Object.fromEntries(
    parts.filter((part) => part.includes("=")).map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  if (programs.length > 1)
    throw new Error(`--against ${written} names several executables; say --against once for each`);
  const program = programs[0] === undefined ? executable : resolve(programs[0]);
  if (!existsSync(program)) throw new Error(`--against: ${program} is neither an executable nor NAME=VALUE`);
  const values = Object.values(environment).join(" ");
  return {
    name: [
      ...(programs[0] === undefined ? [] : [basename(resolve(program, "..")) || basename(program)]),
      ...(values === "" ? [] : [values]),
    ].join(" "),
    program,
    environment,
  };
}

/** A contender's server with a question set in it. */
export class ServedSet {
  private constructor(
    readonly contender: Contender,
    readonly server: BenchServer,
    readonly set: UploadedSet,
  ) {}

  /** `model` null: the built-in model. */
  static async open(contender: Contender, set: QuestionSet, model: string | null): Promise<ServedSet> {
    const server = new BenchServer(undefined, LIFTED, contender.program);
    try {
      if (model !== null) await addModel(contender, server.directory, model);
      await server.start(contender.environment);
      return new ServedSet(contender, server, await UploadedSet.upload(set, server));
    } catch (error) {
      await server.stop();
      server.remove();
      throw error;
    }
  }

  /** The chunks that the server made of the documents: the passages that the model alone is measured on. */
  chunks(): Passage[] {
    const database = new Database(join(this.server.directory, "lectern.db"), { readonly: true });
    try {
      const rows = database
        .query<{ name: string; text: string }, []>(
          "SELECT files.originalName AS name, chunks.text FROM chunks JOIN files ON files.id = chunks.fileRow ORDER BY chunks.id",
        )
        .all();
      return rows.map(({ name, text }) => ({ id: name, language: "", text, dataset: DOCUMENTS }));
    } finally {
      database.close();
    }
  }

  async close(): Promise<void> {
    await this.server.stop();
    this.server.remove();
  }
}

async function addModel({ program }: Contender, directory: string, model: string): Promise<void> {
  for (const words of [
    ["model", "add", resolve(model), "--name", "measured"],
    ["model", "use", "measured"],
  ]) {
    const { code, errors } = await runCommand(directory, words, { program, limit: 600_000 });
    if (code !== 0) throw new Error(errors);
  }
}
