/** GET /console/overview, /console/jobs and /console/log: what the machine does right now. */
import { availableParallelism } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Elysia } from "elysia";
import { version } from "../../../package.json";
import { lastLines } from "../../foundation/log.ts";
import { reembeddingProgress } from "../../operations/reembed.ts";
import { shownJob } from "../../operations/shown-job.ts";
import type { UploadJob } from "../../store/index.ts";
import { unparsed } from "../endpoint.ts";
import { readinessOf } from "../readiness.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { consoleLimits } from "./limits.ts";
import { wholeNumber } from "./request-fields.ts";

/** Milliseconds between two looks at whether the main thread is free. */
const DELAY_RESOLUTION = 20;
const USUAL_LINES = "200";

const GAUGES = [
  "process_resident_memory_bytes",
  "lectern_disk_free_bytes",
  "lectern_disk_reserve_missing",
  "lectern_requests_running",
  "lectern_uploads_running",
  "lectern_background_files_waiting",
  "lectern_background_files_running",
  "lectern_background_files_failed",
  "lectern_index_vectors",
  "lectern_index_bytes",
  "lectern_index_lexical_bytes",
  "lectern_index_open_datasets",
  "lectern_answers_running",
  "lectern_answers_waiting",
  "lectern_answer_sequences",
  "lectern_answer_process_resident_memory_bytes",
] as const;

export function overviewRoutes(service: Service) {
  const { engines, metrics } = service;
  /** From the first look on: a server whose console nobody uses does nothing for it. */
  let delay: ReturnType<typeof monitorEventLoopDelay> | null = null;

  async function overview() {
    if (delay === null) {
      delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });
      delay.enable();
    }
    const gauge = await metrics.readGauges(GAUGES);
    const eventLoopDelaySeconds = Math.max(0, delay.max) / 1e9;
    delay.reset();
    const { status, error, message } = readinessOf(service).body as Record<string, string | undefined>;
    return {
      version,
      url: service.options.publicUrl,
      started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
      readiness: { status: status ?? error, ...(message !== undefined && { message }) },
      machine: {
        processorCount: availableParallelism(),
        residentBytes: gauge.process_resident_memory_bytes,
        diskFreeBytes: gauge.lectern_disk_free_bytes,
        diskReserveMissing: gauge.lectern_disk_reserve_missing === 1,
        eventLoopDelaySeconds,
        requestsRunning: gauge.lectern_requests_running,
        uploadsRunning: gauge.lectern_uploads_running,
      },
      stored: { customers: engines.access.listCustomers().length, ...engines.store.statistics() },
      indexes: {
        vectors: gauge.lectern_index_vectors,
        bytes: gauge.lectern_index_bytes,
        lexicalBytes: gauge.lectern_index_lexical_bytes,
        openDatasets: gauge.lectern_index_open_datasets,
      },
      routes: metrics.answered(),
      queue: {
        waiting: gauge.lectern_background_files_waiting,
        running: gauge.lectern_background_files_running,
        failed: gauge.lectern_background_files_failed,
      },
      answers: {
        running: gauge.lectern_answers_running,
        waiting: gauge.lectern_answers_waiting,
        sequences: gauge.lectern_answer_sequences,
        processBytes: gauge.lectern_answer_process_resident_memory_bytes,
      },
      reembedding: reembeddingProgress(engines),
    };
  }

  return new Elysia()
    .get(
      "/console/overview",
      consoleEndpoint(service, { route: "GET /console/overview", role: "operator", body: "none" }, async (exchange) =>
        exchange.json(await overview()),
      ),
      unparsed,
    )
    .get(
      "/console/jobs",
      consoleEndpoint(service, { route: "GET /console/jobs", role: "operator", body: "none" }, (exchange) =>
        exchange.json({ jobs: jobsOf(service) }),
      ),
      unparsed,
    )
    .get(
      "/console/log",
      consoleEndpoint(service, { route: "GET /console/log", role: "operator", body: "none" }, (exchange) => {
        const asked = queryOf(exchange.request).get("lines") ?? USUAL_LINES;
        return exchange.json({ lines: lastLines(wholeNumber(asked, "lines", consoleLimits.logLines)) });
      }),
      unparsed,
    );
}

/** The first of those that are to be read, in their order, and the last of those that could not be. */
function jobsOf({ engines: { store, uploadJobs } }: Service) {
  const failed = store
    .failedUploadJobIds()
    .slice(-consoleLimits.jobs.maximum)
    .map((fileId) => store.uploadJob(fileId))
    .filter((job): job is UploadJob => job !== null);
  return [...store.unreadUploadJobs().slice(0, consoleLimits.jobs.maximum), ...failed.toReversed()].map((job) => {
    const { status, progress, error } = shownJob(job, uploadJobs);
    return {
      fileId: job.fileId,
      customerId: job.customerId,
      datasetId: job.datasetName,
      name: job.originalName,
      status,
      progress: progress ?? null,
      error: error ?? null,
      created: new Date(job.created).toISOString(),
    };
  });
}
