/** Files on their way, which go on while other pages are looked at. */
import { useEffect, useState } from "preact/hooks";
import { RequestError } from "./requests.ts";
import { uploadFile } from "./upload.ts";

export interface QueuedUpload {
  readonly number: number;
  readonly name: string;
  readonly customer: string | null;
  readonly datasetId: string;
  readonly state: "waiting" | "sending" | "sent" | "failed";
  /** 0-1. */
  readonly share: number;
  /** Why it failed. */
  readonly reason: string | null;
}

interface Entry {
  upload: QueuedUpload;
  readonly file: File;
  readonly fields: Readonly<Record<string, string>>;
  readonly controller: AbortController;
}

/** More would only share the same line. */
const AT_ONCE = 2;

const entries: Entry[] = [];
const listeners = new Set<() => void>();
let numbers = 0;
let announced = false;

/** Takes files into the queue. `fieldsOf` tells the form's fields for each, beside the dataset. */
export function queueUploads(
  customer: string | null,
  datasetId: string,
  files: readonly File[],
  fieldsOf: (file: File) => Readonly<Record<string, string>>,
): void {
  for (const file of files)
    entries.push({
      upload: { number: ++numbers, name: file.name, customer, datasetId, state: "waiting", share: 0, reason: null },
      file,
      fields: { datasetId, ...fieldsOf(file) },
      controller: new AbortController(),
    });
  tell();
  sendNext();
}

/** Ends what is under way for this dataset, and forgets what has ended. */
export function clearUploads(customer: string | null, datasetId: string): void {
  for (const { upload, controller } of entries.filter(isOf(customer, datasetId))) {
    if (upload.state === "sending") controller.abort();
  }
  forget(isOf(customer, datasetId));
}

/** Of everybody: with the session goes what was sent in its name. */
export function stopUploads(): void {
  for (const { controller } of entries) controller.abort();
  forget(() => true);
}

/** The uploads of one dataset, as they go on. */
export function useUploads(customer: string | null, datasetId: string): readonly QueuedUpload[] {
  const [, setRound] = useState(0);
  useEffect(() => {
    const listener = (): void => setRound((round) => round + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return entries.filter(isOf(customer, datasetId)).map(({ upload }) => upload);
}

const isOf =
  (customer: string | null, datasetId: string) =>
  ({ upload }: Entry): boolean =>
    upload.customer === customer && upload.datasetId === datasetId;

function forget(which: (entry: Entry) => boolean): void {
  const left = entries.filter((entry) => !which(entry));
  entries.splice(0, entries.length, ...left);
  tell();
}

function sendNext(): void {
  const sending = entries.filter(({ upload }) => upload.state === "sending").length;
  for (const entry of entries
    .filter(({ upload }) => upload.state === "waiting")
    .slice(0, Math.max(0, AT_ONCE - sending)))
    void sendOne(entry);
}

async function sendOne(entry: Entry): Promise<void> {
  const change = (next: Partial<QueuedUpload>): void => {
    entry.upload = { ...entry.upload, ...next };
    tell();
  };
  change({ state: "sending" });
  try {
    await uploadFile({
      file: entry.file,
      fields: entry.fields,
      customer: entry.upload.customer,
      signal: entry.controller.signal,
      onProgress: (share) => change({ share }),
    });
    change({ state: "sent", share: 1 });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    change({ state: "failed", reason: error.message });
  } finally {
    sendNext();
  }
}

/** Once for everything that changes before the next picture. */
function tell(): void {
  window.onbeforeunload = entries.some(({ upload: { state } }) => state === "waiting" || state === "sending")
    ? (event) => event.preventDefault()
    : null;
  if (announced) return;
  announced = true;
  requestAnimationFrame(() => {
    announced = false;
    for (const listener of listeners) listener();
  });
}
