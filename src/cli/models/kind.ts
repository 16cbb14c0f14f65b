/** What `lectern model …` and `lectern doctor` ask of every kind of model. One file beside this for each kind. */
import type { Config } from "../../options/config.ts";

export interface ModelKind {
  /** As records for programs call it. */
  readonly id: "embedding" | "answer" | "speech" | "ocr";
  /** What the list says that its models are for. */
  readonly purpose: string;
  /** Names of those inside the executable. */
  readonly builtIn: readonly string[];
  /** Whether its models are kept under names of their own, whatever `--name` says. */
  readonly keepsName?: true;
  /** Whether a place that is named to `model add`, or a folder of the data directory, holds such a model, good or not. */
  isOne(place: string): Promise<boolean>;
  /** Reads what lies at a place. Throws what is wrong with it. */
  examine(config: Config, place: string): Promise<Candidate>;
  isInUse(config: Config, model: Model): boolean | Promise<boolean>;
  /** Throws what is wrong with it. */
  describe(config: Config, model: Model): Promise<Description>;
  /** Checks its files against the hashes that were recorded, and tries it. Throws what is wrong with it. */
  verify(config: Config, model: Model): Promise<unknown>;
  /** Records that it is to be used. Throws USAGE where there is nothing to choose. */
  use(model: Model, choice: Choice): Promise<Report>;
  /** Throws OPERATION_FAILED while it cannot be done without. */
  refuseWhileNeeded?(config: Config, model: Model): Promise<void>;
  /** Takes back the choice of a model that is gone. */
  forget?(config: Config, model: Model): Promise<void>;
}

/** A model that is there. */
export interface Model {
  readonly kind: ModelKind;
  readonly name: string;
  /** null: it is inside the executable. */
  readonly directory: string | null;
}

/** A model that could be added. */
export interface Candidate {
  /** What it is kept under unless another name is given. */
  readonly name: string;
  /** Tries it and copies it into a folder of that path, which is not there yet. Throws what is wrong with it; nothing of it stays then. */
  copyTo(target: string): Promise<Report>;
}

export interface Choice {
  readonly config: Config;
  readonly readConfig: () => Config;
  /** Leave it to the next server to embed datasets anew. */
  readonly later: boolean;
}

/** What a command has done: for programs, and in sentences. */
export interface Report {
  readonly record: Readonly<Record<string, unknown>>;
  readonly sentences: readonly string[];
  readonly warning?: string;
}

export interface Description {
  /** Of its files. */
  readonly bytes: number;
  /** "": it does not say. */
  readonly licence: string;
  /** What it is, in a few words. */
  readonly what: string;
  /** What records tell of it beside. */
  readonly details: Readonly<Record<string, unknown>>;
}
