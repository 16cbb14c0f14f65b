/** The messages between the server and the language model's process, sent over Bun's IPC channel. */

export interface ModelSettings {
  /** The GGUF file, or its first part. */
  readonly modelPath: string;
  readonly threads: number;
  /** Answers written at once. */
  readonly sequences: number;
  /** Tokens of question, passages and answer together; at most what the model was made for. */
  readonly contextSize: number;
  /** Tokens of an answer, at most. */
  readonly answerLength: number;
  /** 0: always the most probable token. */
  readonly temperature: number;
  readonly instructions: string;
  /** Only tells whether the model could be opened; no weights are read. */
  readonly probe?: boolean;
}

export type ParentMessage =
  /** The first message, once. */
  | { readonly kind: "open"; readonly settings: ModelSettings }
  /** Asks how many tokens each text has. */
  | { readonly kind: "count"; readonly id: number; readonly texts: readonly string[] }
  /** Asks for an answer to the user's message; waits for a free sequence. */
  | { readonly kind: "write"; readonly id: number; readonly message: string }
  /** Nobody wants that answer any more. */
  | { readonly kind: "stop"; readonly id: number };

export interface OpenedModel {
  /** Tokens that are left for the user's message beside instructions, template and answer. */
  readonly room: number;
  /** Whether the chat template leaves the model in the middle of thinking aloud. */
  readonly startsThinking: boolean;
}

export type ChildMessage =
  /** The first message: from now on the child listens; what is sent before is lost. */
  | { readonly kind: "listening" }
  | ({ readonly kind: "opened" } & OpenedModel)
  /** The model cannot be used; the process ends. `reason` finishes "its model …". */
  | { readonly kind: "refused"; readonly reason: string; readonly cause: string }
  | { readonly kind: "counted"; readonly id: number; readonly tokens: readonly number[] }
  /** The message is longer than the room. */
  | { readonly kind: "too-long"; readonly id: number; readonly tokens: number }
  /** Accepted, and waiting for a sequence or already being read. */
  | { readonly kind: "accepted"; readonly id: number; readonly promptTokens: number }
  | { readonly kind: "text"; readonly id: number; readonly text: string; readonly tokens: number }
  | { readonly kind: "finished"; readonly id: number; readonly tokens: number }
  | { readonly kind: "failed"; readonly id: number; readonly cause: string }
  /** How many answers are being written and how many wait; sent whenever it changes. */
  | { readonly kind: "load"; readonly running: number; readonly waiting: number };
