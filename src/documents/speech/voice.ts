/** How likely somebody speaks, by Silero's detector of voices (version 5), 32 ms at a time. */
import { Tensor } from "onnxruntime-node";
import { openSession } from "../../native/onnx-graph.ts";
import { SPEECH_RATE } from "../audio/resample.ts";

/** Samples of a step. */
export const VOICE_STEP = 512;
/** Samples of the step before that the model sees again. */
const CONTEXT = 64;
const STATE_DIMENSIONS = [2, 1, 128];
const STATE_NUMBERS = 256;

export class VoiceDetector {
  private readonly input = new Float32Array(CONTEXT + VOICE_STEP);
  private state = new Tensor("float32", new Float32Array(STATE_NUMBERS), STATE_DIMENSIONS);
  private readonly rate = new Tensor("int64", BigInt64Array.of(BigInt(SPEECH_RATE)), []);

  private constructor(private readonly session: Awaited<ReturnType<typeof openSession>>) {}

  /** Loads the graph of a file. */
  static async open(path: string): Promise<VoiceDetector> {
    return new VoiceDetector(await openSession(path, 1));
  }

  /** For so many samples at 16 kHz, in the order in which they were spoken. */
  async probability(samples: Float32Array): Promise<number> {
    this.input.copyWithin(0, VOICE_STEP);
    this.input.set(samples, CONTEXT);
    const input = new Tensor("float32", this.input, [1, CONTEXT + VOICE_STEP]);
    const { output, stateN } = await this.session.run({ input, state: this.state, sr: this.rate });
    this.state = stateN as Tensor as typeof this.state;
    return (output!.data as Float32Array)[0]!;
  }

  /** Forgets what it heard, where sound goes on elsewhere. */
  reset(): void {
    this.input.fill(0);
    this.state = new Tensor("float32", new Float32Array(STATE_NUMBERS), STATE_DIMENSIONS);
  }

  async close(): Promise<void> {
    await this.session.release();
  }
}
