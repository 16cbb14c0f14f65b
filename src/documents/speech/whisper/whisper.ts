/**
 * Whisper, of any size and any number of languages: windows of 30 s, times by its own tokens, what was said before as a prompt, and
 * another try, less sure of itself, where what comes out repeats itself or is improbable.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Tensor } from "onnxruntime-node";
import { SPEECH_RATE } from "../../audio/resample.ts";
import { repetitionOf } from "../loops.ts";
import type { SpeechModel, SpokenPiece, Transcript } from "../speech-model.ts";
import { piecesOf } from "../tokenizer-file.ts";
import { logMel, melFilters, WINDOW_SECONDS } from "./mel.ts";
import { applyRules, type Suppressed } from "./token-rules.ts";
import { chosenToken, randomFrom, softmax } from "./token-sampling.ts";
import { type WhisperDecoder, WhisperGraphs } from "./whisper-graphs.ts";
import { WhisperTokens } from "./whisper-tokens.ts";

/** As its paper has them (section 4.5). */
const TEMPERATURES = [0, 0.2, 0.4, 0.6, 0.8, 1];
const MOST_COMPRESSION = 2.4;
const LEAST_LOG_PROBABILITY = -1;
const MOST_NO_SPEECH = 0.6;
/** What came of a try that was less sure than this is no prompt for what follows. */
const SURE_TEMPERATURE = 0.5;
/** Half of what the decoder holds, for the prompt and for what is said. */
const MOST_TOKENS = 224;
/** Seconds that a window is moved on at least. */
const LEAST_STEP = 1;

interface Config {
  readonly num_mel_bins?: number;
  readonly d_model?: number;
  readonly decoder_attention_heads?: number;
  readonly max_target_positions?: number;
  readonly suppress_tokens?: readonly number[];
  readonly begin_suppress_tokens?: readonly number[];
}

interface Attempt {
  readonly tokens: readonly number[];
  readonly meanLogProbability: number;
  readonly noSpeech: number;
  readonly temperature: number;
  readonly text: string;
}

export class WhisperModel implements SpeechModel {
  readonly languages: readonly string[];
  private readonly filters: readonly Float32Array[];
  /** What was said last, as tokens. */
  private previous: readonly number[] = [];

  private constructor(
    private readonly graphs: WhisperGraphs,
    private readonly tokens: WhisperTokens,
    private readonly suppressed: Suppressed,
    private readonly bands: number,
    /** Tokens that the decoder holds, its prompt included. */
    private readonly positions: number,
  ) {
    this.languages = tokens.languages.size > 0 ? [...tokens.languages.keys()] : ["en"];
    this.filters = melFilters(bands);
  }

  /** Loads a folder as Hugging Face's Optimum writes it. Throws an Error that says what is missing. */
  static async open(folder: string): Promise<WhisperModel> {
    const config = (await readConfig(join(folder, "config.json"))) ?? {};
    const generation = (await readConfig(join(folder, "generation_config.json"))) ?? {};
    const {
      d_model: width,
      decoder_attention_heads: heads,
      num_mel_bins: bands = 80,
      max_target_positions: positions = 448,
    } = config;
    if (width === undefined || heads === undefined)
      throw new Error(`${join(folder, "config.json")} does not say "d_model" and "decoder_attention_heads"`);
    const tokens = new WhisperTokens(await piecesOf(folder));
    const graphs = await WhisperGraphs.open(folder, { heads, headWidth: width / heads });
    const suppressed = {
      always: generation.suppress_tokens ?? config.suppress_tokens ?? [],
      first: generation.begin_suppress_tokens ?? config.begin_suppress_tokens ?? [],
    };
    return new WhisperModel(graphs, tokens, suppressed, bands, positions);
  }

  async detectLanguage(samples: Float32Array): Promise<{ language: string; probability: number } | null> {
    const { languages, start } = this.tokens;
    if (languages.size < 2) return null;
    const decoder = this.graphs.begin(await this.encode(samples));
    const { logits, vocabulary } = await decoder.step([start]);
    const row = logits.subarray(logits.length - vocabulary);
    const tags = [...languages.keys()];
    const probabilities = softmax(
      Float32Array.from(languages.values(), (token) => row[token] ?? Number.NEGATIVE_INFINITY),
    );
    const best = probabilities.indexOf(Math.max(...probabilities));
    return { language: tags[best]!, probability: probabilities[best]! };
  }

  async transcribe(samples: Float32Array, language: string): Promise<Transcript> {
    const pieces: SpokenPiece[] = [];
    let [logProbability, weight] = [0, 0];
    const seconds = samples.length / SPEECH_RATE;
    for (let from = 0; from < seconds; ) {
      const window = samples.subarray(
        Math.round(from * SPEECH_RATE),
        Math.round((from + WINDOW_SECONDS) * SPEECH_RATE),
      );
      const length = window.length / SPEECH_RATE;
      const best = await this.best(await this.encode(window), language);
      const isSilent = best.noSpeech > MOST_NO_SPEECH && best.meanLogProbability < LEAST_LOG_PROBABILITY;
      const { said, next } = isSilent ? { said: [], next: null } : this.piecesOf(best.tokens, length);
      for (const { text, times } of said) {
        const [start, end] = times!;
        pieces.push({ text, times: [from + start, from + end] });
      }
      this.previous =
        isSilent || best.temperature > SURE_TEMPERATURE ? [] : [...this.previous, ...best.tokens].slice(-MOST_TOKENS);
      logProbability += best.meanLogProbability * length;
      weight += length;
      from += next === null ? length : Math.max(LEAST_STEP, next);
    }
    const text = pieces.map((piece) => piece.text).join(" ");
    return { pieces, meanLogProbability: weight === 0 ? 0 : logProbability / weight, repetition: repetitionOf(text) };
  }

  async close(): Promise<void> {
    await this.graphs.close();
  }

  private encode(samples: Float32Array): Promise<Tensor> {
    return this.graphs.encode(logMel(samples, this.filters), this.bands);
  }

  /** The first try that neither repeats itself nor is improbable; else the last. */
  private async best(hidden: Tensor, language: string): Promise<Attempt> {
    let attempt: Attempt | null = null;
    for (const temperature of TEMPERATURES) {
      attempt = await this.attempt(hidden, language, temperature);
      const isImprobable = attempt.meanLogProbability < LEAST_LOG_PROBABILITY;
      // Where nobody speaks nothing is probable, and no further try is made.
      if (isImprobable && attempt.noSpeech > MOST_NO_SPEECH) break;
      if (!isImprobable && compressionOf(attempt.text) <= MOST_COMPRESSION) break;
    }
    return attempt!;
  }

  private async attempt(hidden: Tensor, language: string, temperature: number): Promise<Attempt> {
    const { tokens } = this;
    const decoder = this.graphs.begin(hidden);
    const random = randomFrom(Math.round(temperature * 10));
    const { prompt, start } = this.prompt(language);
    let { row, noSpeech } = await this.firstRow(decoder, prompt, start);
    const said: number[] = [];
    const most = Math.min(MOST_TOKENS, this.positions - prompt.length);
    let sum = 0;
    for (;;) {
      applyRules(row, said, tokens, this.suppressed);
      const { token, logProbability } = chosenToken(row, temperature, random);
      sum += logProbability;
      if (token === tokens.end || said.length >= most) break;
      said.push(token);
      const { logits, vocabulary } = await decoder.step([token]);
      row = logits.slice(logits.length - vocabulary);
    }
    const text = tokens.decode(said).trim();
    return { tokens: said, meanLogProbability: sum / (said.length + 1), noSpeech, temperature, text };
  }

  /** Tokens in front of what is said, and where among them it begins. */
  private prompt(language: string): { prompt: number[]; start: number } {
    const { tokens } = this;
    const before =
      tokens.previous === null || this.previous.length === 0
        ? []
        : [tokens.previous, ...this.previous.slice(1 - MOST_TOKENS)];
    const task = [tokens.languages.get(language), tokens.languages.size > 0 ? tokens.transcribe : null];
    const own = [tokens.start, ...task.filter((token) => token !== null && token !== undefined)];
    return { prompt: [...before, ...own], start: before.length };
  }

  private async firstRow(
    decoder: WhisperDecoder,
    prompt: readonly number[],
    start: number,
  ): Promise<{ row: Float32Array; noSpeech: number }> {
    const { logits, vocabulary } = await decoder.step(prompt);
    const { noSpeech } = this.tokens;
    const atStart = softmax(logits.subarray(start * vocabulary, (start + 1) * vocabulary));
    return {
      row: logits.slice(logits.length - vocabulary),
      noSpeech: noSpeech === null ? 0 : (atStart[noSpeech] ?? 0),
    };
  }

  /** What is said between times. `next`: where the next window begins, when the last sentence was cut off; null: all was said. */
  private piecesOf(tokens: readonly number[], length: number): { said: SpokenPiece[]; next: number | null } {
    const said: SpokenPiece[] = [];
    let start = 0;
    let words: number[] = [];
    const end = (seconds: number): void => {
      const text = this.tokens.decode(words).trim();
      if (text !== "")
        said.push({ text, times: [Math.min(start, length), Math.min(Math.max(start, seconds), length)] });
      words = [];
    };
    for (const token of tokens) {
      if (!this.tokens.isTime(token)) {
        words.push(token);
        continue;
      }
      const seconds = this.tokens.secondsOf(token);
      end(seconds);
      start = seconds;
    }
    // Two times at the end: what follows on them was begun and not finished.
    const [last, lastBut] = [tokens.at(-1), tokens.at(-2)];
    const isCut =
      last !== undefined && lastBut !== undefined && this.tokens.isTime(last) && this.tokens.isTime(lastBut);
    if (isCut && start > 0 && start < length) return { said, next: start };
    end(length);
    return { said, next: null };
  }
}

/** How much shorter a text becomes: what repeats itself becomes much shorter. */
function compressionOf(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length;
}

async function readConfig(path: string): Promise<Config | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Config;
  } catch {
    return null;
  }
}
