/** What the metrics tell beside request counts: how much is stored, running and used. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Service } from "./service.ts";

/** Milliseconds between two looks at whether the main thread is free. */
const DELAY_RESOLUTION = 10;

export function addServerGauges(service: Service): void {
  const { metrics, engines } = service;
  const single = (name: string, help: string, read: () => number | Promise<number>): void => metrics.addGauge({ name, help, read });

  single("lectern_requests_running", "Requests being answered.", () => service.runningRequests);
  single("lectern_uploads_running", "Uploads being received or indexed.", () => service.runningUploads);
  single("process_resident_memory_bytes", "Resident memory of the server process.", () => process.memoryUsage.rss());
  single("process_uptime_seconds", "Seconds since the process started.", () => process.uptime());
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });
  delay.enable();
  single("lectern_event_loop_delay_seconds", "Longest time since the last look at this page that the main thread was not free.", () => {
    const seconds = Math.max(0, delay.max) / 1e9;
    delay.reset();
    return seconds;
  });
  for (const kind of ["datasets", "files", "chunks"] as const) {
    single(`lectern_${kind}`, `Stored ${kind}.`, () => engines.store.statistics()[kind]);
  }
  single("lectern_answers_running", "Answers that a language model is writing.", () => engines.answerer.load().running);
  single("lectern_answers_waiting", "Questions that wait for a language model.", () => engines.answerer.load().waiting);
  single("lectern_answer_sequences", "Answers that a language model writes at once; 0 without one.", () => engines.answerer.load().sequences);
  single("lectern_answer_process_resident_memory_bytes", "Resident memory of the language model's process; 0 while there is none.", () => engines.answerer.load().processBytes);
  single("lectern_answer_process_starts", "Starts of the language model's process.", () => engines.answerer.load().starts);
  single("lectern_index_vectors", "Vectors in memory.", async () => (await engines.vectors.statistics()).rows);
  single("lectern_index_graph_vectors", "Vectors in search graphs.", async () => (await engines.vectors.statistics()).graphRows);
  single("lectern_index_bytes", "Bytes of the indexes in memory.", async () => (await engines.vectors.statistics()).bytes + ((await engines.lexical?.statistics())?.bytes ?? 0));
  single("lectern_index_lexical_bytes", "Bytes of the lexical indexes among them.", async () => (await engines.lexical?.statistics())?.bytes ?? 0);
  single("lectern_index_lexical_chunks", "Chunks in lexical indexes in memory.", async () => (await engines.lexical?.statistics())?.rows ?? 0);
  single("lectern_index_open_datasets", "Datasets in memory.", async () => (await engines.vectors.statistics()).openDatasets);
  single("lectern_index_checkpoints_building", "Index checkpoints being written.", async () => (await engines.vectors.statistics()).building);
}
