/** A real Lectern that answers by a language model which the test has written, and what tests ask of both. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startLectern, type TestCustomer, type TestServer } from "../harness.ts";
import { tinyModel, type TinyModel } from "./gguf-writer.ts";

export const passages = {
  "bees.txt":
    "Bees make honey from nectar. They live in hives with one queen. In winter they stay together to keep warm.",
  "cars.txt": "A car needs new oil every ten thousand kilometres. Tyres wear down with time.",
};

export interface Answering {
  readonly lectern: TestServer;
  readonly customer: TestCustomer;
  query(json?: Record<string, unknown>, signal?: AbortSignal): ReturnType<TestServer["call"]>;
  /** Begins a stream and returns once its first token is there. */
  begin(question?: string): Promise<{ controller: AbortController; rest: Promise<string> }>;
  /** Another model, or the same with other options; the documents stay. */
  restart(model: TinyModel | Uint8Array | null, flags?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

/** Two small documents in the dataset `d`, one answer at a time, always the most probable token, whatever was found. */
export async function startAnswering(
  model: TinyModel | Uint8Array | null,
  flags: Record<string, string> = {},
): Promise<Answering> {
  const lectern = await startLectern();
  const customer = lectern.customer();
  await lectern.upload(customer.key, "d", passages);
  const answering: Answering = {
    lectern,
    customer,
    query: (json = {}, signal) =>
      lectern.call("POST", "/v1/query", {
        key: customer.key,
        json: { datasetId: "d", question: "What do bees make?", ...json },
        ...(signal && { signal }),
      }),
    async begin(question = "What do bees make?") {
      const controller = new AbortController();
      const response = await fetch(`${lectern.url}/v1/query`, {
        method: "POST",
        headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
        body: JSON.stringify({ datasetId: "d", question, stream: true }),
        signal: controller.signal,
      });
      const reader = response.body!.getReader();
      let text = "";
      const read = async (): Promise<boolean> => {
        const { done, value } = await reader.read();
        if (!done) text += new TextDecoder().decode(value);
        return !done;
      };
      while (!text.includes("event: token") && (await read()));
      const rest = (async () => {
        while (await read());
        return text;
      })();
      rest.catch(() => undefined);
      return { controller, rest };
    },
    async restart(next, newFlags = {}) {
      const folder = join(lectern.directory, "models/tiny");
      mkdirSync(folder, { recursive: true });
      if (next !== null) writeFileSync(join(folder, "tiny.gguf"), next instanceof Uint8Array ? next : tinyModel(next));
      await lectern.restart({
        "answer-model": "tiny",
        "answer-threads": "1",
        "answer-parallel": "1",
        "answer-temperature": "0",
        "answer-floor": "0",
        ...flags,
        ...newFlags,
      });
    },
    stop: () => lectern.stop(),
  };
  await answering.restart(model);
  return answering;
}

/** Ids of this process's children that hold a language model. */
export function modelProcesses(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return (
          readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--role=answer") &&
          Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]) === process.pid
        );
      } catch {
        // It ended while we looked.
        return false;
      }
    });
}

export interface StreamedEvent {
  readonly event: string;
  readonly data: any;
}

export function eventsIn(text: string): StreamedEvent[] {
  return text
    .trim()
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [event, data] = block.split("\n");
      return { event: event!.slice("event: ".length), data: JSON.parse(data!.slice("data: ".length)) };
    });
}
