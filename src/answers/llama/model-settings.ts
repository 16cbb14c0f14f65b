/** What a language model's process is told, and what it tells of its model. */

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
}

export interface OpenedModel {
  /** Tokens that are left for the user's message beside instructions, template and answer. */
  readonly room: number;
  /** Whether the chat template leaves the model in the middle of thinking aloud. */
  readonly startsThinking: boolean;
}

export interface TextPiece {
  readonly text: string;
  readonly tokens: number;
}
