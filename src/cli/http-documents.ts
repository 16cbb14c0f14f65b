/** The stored documents of a Lectern server, over HTTP. */
import type { DatasetRecord, FilePassages, FileRecord, StoredDocuments } from "./stored-documents.ts";

/** Asks the server; throws LecternError with its sentence where it refuses. `path` begins with a slash. */
export type Ask = (method: "GET" | "DELETE", path: string) => Promise<Response>;

/** Items asked for at a time. */
const PAGE = 1000;

export function httpDocuments(ask: Ask): StoredDocuments {
  const askJson = async (method: "GET" | "DELETE", path: string): Promise<Record<string, unknown>> =>
    (await (await ask(method, path)).json()) as Record<string, unknown>;
  async function* all<Item>(path: string, field: "data" | "files"): AsyncGenerator<Item> {
    const separator = path.includes("?") ? "&" : "?";
    for (let cursor = ""; ; ) {
      const page = await askJson("GET", `${path}${separator}limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`);
      yield* page[field] as Item[];
      if (typeof page.nextCursor !== "string") return;
      cursor = page.nextCursor;
    }
  }
  const filePath = (fileId: string): string => `/v1/files/${encodeURIComponent(fileId)}`;
  const file = async (fileId: string): Promise<FileRecord> =>
    ((await askJson("GET", filePath(fileId))).files as FileRecord[])[0]!;
  return {
    datasets: () => all<DatasetRecord>("/v1/datasets", "data"),
    files: (datasetId, name) =>
      all<FileRecord>(`/v1/files?${new URLSearchParams({ datasetId, name: name ?? "" })}`, "files"),
    file,
    async content(fileId) {
      // The link may begin with an address that only the server's clients elsewhere reach.
      const { pathname, search } = new URL(String((await file(fileId)).permanentUrl));
      return (await ask("GET", `${pathname}${search}`)).body ?? new Blob([]).stream();
    },
    subtitles: async (fileId, format) =>
      (await ask("GET", `${filePath(fileId)}/subtitles?format=${encodeURIComponent(format)}`)).body ??
      new Blob([]).stream(),
    async passages(fileId, { from, limit }) {
      const { data, total } = await askJson("GET", `${filePath(fileId)}/passages?from=${from}&limit=${limit}`);
      return { passages: data as FilePassages["passages"], total: Number(total) };
    },
    removeFile: async (fileId) => void (await ask("DELETE", filePath(fileId))),
    removeDataset: async (datasetId) =>
      ((await askJson("DELETE", `/v1/datasets/${encodeURIComponent(datasetId)}/files`)).files as unknown[]).length,
  };
}
