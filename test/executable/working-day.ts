/** Everything that a client does with a server, over HTTP, once: what the tests of the executable put it through. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

export interface WorkingDay {
  uploaded: number;
  listed: number;
  /** Whether the filtered search found something, and nothing but the file that the filter names. */
  filtered: boolean;
  answered: boolean;
  streamed: string[];
  /** Whether the download gave back the bytes that were uploaded. */
  downloaded: boolean;
  remaining: number;
}

/** Uploads every sample by a request of its own, searches, asks, streams, lists, downloads, uses a token, and deletes all. Throws on any refusal. */
export async function spendWorkingDay(url: string, apiKey: string, samples: string): Promise<WorkingDay> {
  const authorization = { authorization: `Bearer ${apiKey}` };
  const send = async (
    method: string,
    path: string,
    body?: FormData | object,
    headers: Record<string, string> = authorization,
  ): Promise<any> => {
    const isForm = body instanceof FormData;
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...headers, ...(body && !isForm && { "content-type": "application/json" }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.headers.get("content-type")?.includes("application/json") ? await response.json() : response;
  };

  const names = readdirSync(samples).sort();
  let last: { fileId: string } | null = null;
  for (const name of names) {
    const form = new FormData();
    form.append("datasetId", "day");
    form.append("extraMeta", JSON.stringify({ name }));
    form.append("file", Bun.file(join(samples, name)), name);
    last = (await send("POST", "/v1/files/upload", form)).files[0];
  }
  const found = await send("POST", "/v1/search", {
    datasetId: "day",
    question: "How is the chain cleaned and oiled?",
    filters: [{ key: "name", match: { value: "bicycle-maintenance.md" } }],
  });
  const answer = await send("POST", "/v1/query", { datasetId: "day", question: "How is the chain cleaned and oiled?" });
  const { data: models } = await send("GET", "/v1/models");
  const question = { role: "user", content: "How is the chain cleaned and oiled?" };
  await send("POST", "/v1/chat/completions", { model: "day", messages: [question] });
  await send("POST", "/v1/embeddings", { model: models.at(-1).id, input: question.content });
  const { token } = await send("POST", "/v1/tokens/create", { datasetId: "day", ttlSeconds: 60 });
  const stream = await send(
    "POST",
    "/v1/query",
    { question: "Wann verfällt der Urlaub?", stream: true },
    { "x-service-key": token },
  );
  const events = [...(await stream.text()).matchAll(/^event: (\w+)$/gm)].map((match) => match[1] as string);
  const { files: listed } = await send("GET", "/v1/files?datasetId=day");
  const {
    files: [detail],
  } = await send("GET", `/v1/files/${last!.fileId}`);
  const download = await send("GET", detail.permanentUrl, undefined, {});
  const uploadedBytes = await Bun.file(join(samples, detail.originalName)).bytes();
  const downloaded = Bun.deepEquals(await download.bytes(), uploadedBytes);
  await send("DELETE", `/v1/files/${last!.fileId}`);
  await send("DELETE", "/v1/datasets/day/files");
  await send("DELETE", "/v1/files");
  const { data: remaining } = await send("POST", "/v1/search", { datasetId: "day", question: "chain" });
  for (const path of ["/healthz", "/readyz", "/metrics", "/openapi", "/openapi/viewer/swagger-ui.js"])
    await send("GET", path);
  const page = await (await send("GET", "/", undefined, {})).text();
  for (const [, path] of page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)) await send("GET", path!, undefined, {});

  return {
    uploaded: names.length,
    listed: listed.length,
    filtered:
      found.data.length > 0 &&
      found.data.every((result: any) => result.metadata.originalName === "bicycle-maintenance.md"),
    answered: answer.data.answer.length > 0,
    streamed: [...new Set(events)],
    downloaded,
    remaining: remaining.length,
  };
}
