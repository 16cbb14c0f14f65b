/** In which language a recording is spoken, and which model listens to it: as it was said, as a model hears it, or English until it does not sound like it. */
import type { Content } from "../content.ts";
import { languageTag } from "../language-tag.ts";
import { builtInModel } from "./built-in.ts";
import { EnglishEvidence } from "./english.ts";
import { findSpeechModels } from "./model-folders.ts";
import type { KnownModel, SpeechModel, SpokenPiece } from "./speech-model.ts";
import type { Stretch } from "./stretches.ts";

const ENGLISH = "en";
/** Seconds of speech after which a recording that does not sound like English is given up. */
const EVIDENCE_SECONDS = 60;
/** Tokens so improbable, by the logarithm on average, are no words: a stretch of them is left out. */
const LEAST_LOG_PROBABILITY = -1.2;

export interface SaidPieces {
  readonly pieces: readonly SpokenPiece[];
  readonly language: string;
}

export class SpokenLanguage {
  private readonly declared: string | null;
  private readonly open = new Map<KnownModel, SpeechModel>();
  private chosen: { readonly model: SpeechModel; readonly language: string } | null = null;
  /** Kept where nobody said that it is English, and no model can tell. */
  private evidence: EnglishEvidence | null = null;

  constructor(private readonly content: Content) {
    const { expected, speech } = content.recognition;
    const said = expected.language ?? speech.language;
    this.declared = said === null ? null : (languageTag(said) ?? said);
  }

  /** As BCP 47 has it; null before anything was heard. */
  get tag(): string | null {
    return this.declared ?? this.chosen?.language ?? null;
  }

  /** What is said in a stretch; null where nothing can be made of it. Throws NO_SPEECH_MODEL. */
  async transcribe({ samples, voiced }: Stretch): Promise<SaidPieces | null> {
    const { model, language } = (this.chosen ??= await this.choose(samples));
    const transcript = await model.transcribe(samples, language);
    const seconds = voiced.reduce((sum, [start, end]) => sum + end - start, 0);
    this.evidence?.add(transcript, seconds);
    if (this.evidence !== null && this.evidence.seconds >= EVIDENCE_SECONDS) this.end();
    if (transcript.pieces.length === 0 || transcript.meanLogProbability < LEAST_LOG_PROBABILITY) return null;
    return { pieces: transcript.pieces, language };
  }

  /** Throws NO_SPEECH_MODEL when all that was heard does not sound like the language it was taken for. */
  end(): void {
    if (this.evidence === null) return;
    if (!this.evidence.isEnglish)
      throw this.unheard("does not sound like English, the only language that can be heard here");
    // What has been settled by so much is not asked again.
    if (this.evidence.seconds >= EVIDENCE_SECONDS) this.evidence = null;
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map((model) => model.close()));
  }

  private async choose(samples: Float32Array): Promise<{ model: SpeechModel; language: string }> {
    const { modelsDirectory, speech } = this.content.recognition;
    const added = modelsDirectory === null ? [] : await findSpeechModels(modelsDirectory);
    // Whoever brings a model means it to be used, the more special one first.
    const models = [...added.toSorted((a, b) => a.languages.length - b.languages.length), builtInModel];
    models.sort((a, b) => Number(b.name === speech.model) - Number(a.name === speech.model));
    if (this.declared !== null) {
      const primary = primaryOf(this.declared);
      const language = primaryOf(primary);
      const known = models.find(({ languages }) => languages.includes(language));
      if (known === undefined)
        throw this.unheard(`is spoken in "${this.declared}", which no speech model here understands`);
      return { model: await this.opened(known), language };
    }
    for (const known of models) {
      if (known.languages.length < 2) continue;
      const found = await (await this.opened(known)).detectLanguage(samples);
      if (found === null) continue;
      const best = models.find(({ languages }) => languages.includes(found.language)) ?? known;
      return { model: await this.opened(best), language: found.language };
    }
    const english = models.find(({ languages }) => languages.includes(ENGLISH)) ?? builtInModel;
    this.evidence = new EnglishEvidence();
    return { model: await this.opened(english), language: ENGLISH };
  }

  private async opened(known: KnownModel): Promise<SpeechModel> {
    const there = this.open.get(known);
    if (there !== undefined) return there;
    const model = await known.open();
    this.open.set(known, model);
    return model;
  }

  private unheard(what: string): Error {
    const remedy =
      this.declared === null
        ? 'If it is English all the same, send it with the field language=en. For other languages whoever runs the server adds a model: "lectern model add FOLDER", e.g. Whisper in ONNX form'
        : 'Whoever runs the server adds a model that does: "lectern model add FOLDER", e.g. Whisper in ONNX form';
    return this.content.refused("NO_SPEECH_MODEL", { what, remedy: `${remedy}.` });
  }
}

/** "en-GB" is English. */
const primaryOf = (tag: string): string => tag.split("-")[0]!.toLowerCase();
