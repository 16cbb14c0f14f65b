/** Long work in short turns, between which whatever else waits for this thread goes first. */
import { letOthersIn } from "./let-others-in.ts";

const TURN_MILLISECONDS = 2;

export class Turns {
  private end = performance.now() + TURN_MILLISECONDS;

  /** Lets others in where this turn has lasted long enough; to be called often. */
  async pause(): Promise<void> {
    if (performance.now() < this.end) return;
    await letOthersIn();
    this.end = performance.now() + TURN_MILLISECONDS;
  }

  /** Whether the next `pause` waits. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }
}
