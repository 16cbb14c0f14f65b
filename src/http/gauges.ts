/** What the metrics tell beside request counts: how much is stored, running and used. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { ModelsInUse } from "../operations/models-in-use.ts";
import { reembeddingProgress } from "../operations/reembed.ts";
import type { SearchStatistics } from "../search/index.ts";
import type { Service } from "./service.ts";

/** Milliseconds between two looks at whether the main thread is free. */
const DELAY_RESOLUTION = 10;

export function addServerGauges(service: Service): void {
  const { metrics, engines } = service;
  const single = (name: string, help: string, read: () => number | Promise<number>): void =>
    metrics.addGauge({ name, help, read });

  single("lectern_requests_running", "Requests being answered.", () => service.runningRequests);
  single("lectern_uploads_running", "Uploads being received or indexed.", () => service.runningUploads);
  single("lectern_staging_bytes", "Bytes of uploads that are being received or indexed.", () => engines.diskRoom.held);
  single("lectern_disk_free_bytes", "What the data directory's disk has left.", () => engines.diskRoom.free());
  single("lectern_disk_reserve_missing", "1 while the disk is full and uploads are refused.", () =>
    Number(engines.diskRoom.reserve.missing),
  );
  single(
    "lectern_certificate_expires_seconds",
    "When the certificate that is shown expires, in Unix seconds; 0: this server speaks plain HTTP.",
    () => (service.certificateExpires?.getTime() ?? 0) / 1000,
  );
  const { uploadJobs } = engines;
  single("lectern_background_files_waiting", "Accepted files that wait to be read.", () => uploadJobs.waiting);
  single("lectern_background_files_running", "Accepted files that are being read.", () => uploadJobs.running);
  single("lectern_background_files_failed", "Accepted files that could not be read and were not deleted since.", () =>
    engines.store.countFailedUploadJobs(),
  );
  single("process_resident_memory_bytes", "Resident memory of the server process.", () => process.memoryUsage.rss());
  single("process_uptime_seconds", "Seconds since the process started.", () => process.uptime());
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });
  delay.enable();
  single(
    "lectern_event_loop_delay_seconds",
    "Longest time since the last look at this page that the main thread was not free.",
    () => {
      const seconds = Math.max(0, delay.max) / 1e9;
      delay.reset();
      return seconds;
    },
  );
  for (const kind of ["datasets", "files", "chunks"] as const) {
    single(`lectern_${kind}`, `Stored ${kind}.`, () => engines.store.statistics()[kind]);
  }
  single("lectern_files_set_aside", "Files in lost+found, which no database knew of.", () =>
    engines.storage.countSetAside(),
  );
  single("lectern_answers_running", "Answers that a language model is writing.", () => engines.answerer.load().running);
  single("lectern_answers_waiting", "Questions that wait for a language model.", () => engines.answerer.load().waiting);
  single(
    "lectern_answer_sequences",
    "Answers that a language model writes at once; 0 without one.",
    () => engines.answerer.load().sequences,
  );
  single(
    "lectern_answer_process_resident_memory_bytes",
    "Resident memory of the language model's process; 0 while there is none.",
    () => engines.answerer.load().processBytes,
  );
  single(
    "lectern_answer_process_starts",
    "Starts of the language model's process.",
    () => engines.answerer.load().starts,
  );
  addIndexGauges(single, engines.models);
  single(
    "lectern_reembedding_datasets",
    "Datasets that the chosen model is still to embed anew.",
    () => reembeddingProgress(engines).datasets,
  );
  single("lectern_reembedding_chunks", "Chunks of these datasets.", () => reembeddingProgress(engines).chunks);
  single(
    "lectern_reembedding_chunks_done",
    "Chunks among them that are done.",
    () => reembeddingProgress(engines).done,
  );
}

function addIndexGauges(
  single: (name: string, help: string, read: () => Promise<number>) => void,
  models: ModelsInUse,
): void {
  const total = async (value: (statistics: SearchStatistics) => number): Promise<number> =>
    sum(await Promise.all(models.all.map(async ({ search }) => value(await search.statistics()))));
  single("lectern_index_vectors", "Vectors in memory.", () => total(({ vectors }) => vectors.rows));
  single("lectern_index_graph_vectors", "Vectors in search graphs.", () => total(({ vectors }) => vectors.graphRows));
  single("lectern_index_bytes", "Bytes of the indexes in memory.", () =>
    total(({ vectors, words }) => vectors.bytes + (words?.bytes ?? 0)),
  );
  single("lectern_index_lexical_bytes", "Bytes of the lexical indexes among them.", () =>
    total(({ words }) => words?.bytes ?? 0),
  );
  single("lectern_index_lexical_chunks", "Chunks in lexical indexes in memory.", () =>
    total(({ words }) => words?.rows ?? 0),
  );
  single("lectern_index_open_datasets", "Datasets in memory.", () => total(({ vectors }) => vectors.openDatasets));
  single("lectern_index_checkpoints_building", "Index checkpoints being written.", () =>
    total(({ building }) => building),
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
