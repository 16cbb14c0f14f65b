/** The customers beside the hostile one: what they ask and upload, and how long it takes them. */
import { uploadForm, type Client } from "../client.ts";
import { questionsFrom } from "../text.ts";

const SEARCH_EVERY = 200;
const UPLOAD_EVERY = 3000;
const FILES = 12;
const PASSAGES_PER_FILE = 20;
/** After a spell, requests that are still under way are given this long, milliseconds. */
const PATIENCE = 90_000;

export interface Spell {
  /** Milliseconds from when a request was due. */
  readonly searches: number[];
  readonly uploads: number[];
  /** What was not answered 200, as it was answered. */
  readonly errors: string[];
}

export class Neighbour {
  private readonly questions: readonly string[];
  private asked = 0;
  private uploaded = 0;

  constructor(
    private readonly client: Client,
    private readonly passages: readonly string[],
  ) {
    this.questions = questionsFrom(passages, 50);
  }

  /** Some hundred chunks. */
  async settle(): Promise<void> {
    for (let file = 0; file < FILES; file++) {
      await this.client.upload(
        `notes-${file}.txt`,
        this.passages.slice(file * PASSAGES_PER_FILE, (file + 1) * PASSAGES_PER_FILE).join("\n\n"),
        { chunkSize: "120" },
      );
    }
    for (const question of this.questions.slice(0, 5)) await this.client.search(question);
  }

  /** Searches and uploads when they are due, whether or not those before were answered, for so many seconds. */
  async live(seconds: number): Promise<Spell> {
    const spell: Spell = { searches: [], uploads: [], errors: [] };
    const requests: Promise<void>[] = [];
    const end = performance.now() + seconds * 1000;
    await Promise.all([
      every(SEARCH_EVERY, end, (due) =>
        requests.push(
          this.timedCall(spell.searches, spell, due, "/v1/search", {
            datasetId: "bench",
            question: this.questions[this.asked++ % this.questions.length]!,
          }),
        ),
      ),
      every(UPLOAD_EVERY, end, (due) =>
        requests.push(
          this.timedCall(
            spell.uploads,
            spell,
            due,
            "/v1/files/upload",
            uploadForm(
              { datasetId: "bench" },
              {
                [`day-${this.uploaded}.md`]: `# Day ${this.uploaded++}\n\n${this.passages[this.uploaded % this.passages.length]}\n`,
              },
            ),
          ),
        ),
      ),
    ]);
    await Promise.all(requests);
    return spell;
  }

  private async timedCall(
    times: number[],
    { errors }: Spell,
    due: number,
    path: string,
    content: unknown,
  ): Promise<void> {
    const { status, body, isLate } = await this.client.call("POST", path, content, { limit: PATIENCE });
    times.push(performance.now() - due);
    if (status !== 200)
      errors.push(`${path} was answered ${isLate ? "not at all" : status}: ${JSON.stringify(body).slice(0, 200)}`);
  }
}

/** Calls `work` at its due times, first at a random one within the first interval; a late timer makes several calls at once. */
async function every(interval: number, end: number, work: (due: number) => void): Promise<void> {
  for (let due = performance.now() + Math.random() * interval; due < end; due += interval) {
    await Bun.sleep(Math.max(0, due - performance.now()));
    work(due);
  }
}
