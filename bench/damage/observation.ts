/** Everything that is asked of a server, and what it must answer. */
import type { Answer, Client, ListedFile, SearchHit } from "../client.ts";
import { timed } from "../server.ts";
import { runCommand } from "../server-process.ts";

const LIMIT = 30_000;
const CLIENTS = 3;
/** Of a score. Vectors that an index keeps and those of the database differ by less. */
const DIGITS = 2;

/** Answers by what was asked. */
export type Observations = Map<string, Observation>;

export interface Observation {
  /** 0: nothing was answered. */
  readonly status: number;
  readonly isLate: boolean;
  /** What must be the same again. */
  readonly value: string;
}

/** One customer's data. */
export interface Holding {
  readonly customerId: string;
  readonly key: string;
  /** A frontend token for the first of the datasets. */
  readonly token: string;
  readonly datasets: readonly {
    readonly datasetId: string;
    readonly questions: readonly string[];
    readonly fileIds: readonly string[];
  }[];
  /** Path and query of a download link. */
  readonly link: string;
}

/** Asks all that is known to have an answer. */
export async function observe(
  directory: string,
  clientOf: (key: string) => Client,
  holdings: readonly Holding[],
): Promise<Observations> {
  const observations: Observations = new Map();
  const asked = holdings.flatMap((holding) => questionsOf(holding, clientOf));
  await timed(asked, CLIENTS, async ({ subject, ask }) => observations.set(subject, await ask()));
  observations.set("balances", await observeBalances(directory));
  return observations;
}

/** What was asked and is answered otherwise than it should be, of what the truth is known of. */
export function differences(truth: Observations, seen: Observations): { subject: string; observation: Observation }[] {
  return [...truth].flatMap(([subject, { status, value }]) => {
    const observation = seen.get(subject);
    return observation === undefined || (observation.status === status && observation.value === value)
      ? []
      : [{ subject, observation }];
  });
}

interface Asked {
  readonly subject: string;
  ask(): Promise<Observation>;
}

function questionsOf({ customerId, key, token, datasets, link }: Holding, clientOf: (key: string) => Client): Asked[] {
  const client = clientOf(key);
  const list = (by: Client, datasetId: string) =>
    by
      .call("GET", `/v1/files?datasetId=${datasetId}`, undefined, { limit: LIMIT })
      .then((answer) => observation(answer, listing(answer)));
  return [
    ...datasets.flatMap(({ datasetId, questions, fileIds }): Asked[] => [
      { subject: `the files of ${customerId}'s ${datasetId}`, ask: () => list(client, datasetId) },
      ...questions.map(
        (question): Asked => ({
          subject: `${customerId}'s ${datasetId}: ${question}`,
          ask: () =>
            client
              .call("POST", "/v1/search", { datasetId, question }, { limit: LIMIT })
              .then((answer) => observation(answer, passages(answer))),
        }),
      ),
      ...fileIds.map(
        (fileId): Asked => ({
          subject: `the bytes of ${fileId}`,
          ask: () =>
            client
              .download(fileId, { limit: LIMIT })
              .then(({ answer, bytes }) =>
                observation(answer, bytes === null ? "" : new Bun.CryptoHasher("sha256").update(bytes).digest("hex")),
              ),
        }),
      ),
    ]),
    { subject: `${customerId}'s token`, ask: () => list(clientOf(token), datasets[0]!.datasetId) },
    {
      subject: `${customerId}'s download link`,
      ask: () => client.call("GET", link, undefined, { limit: LIMIT }).then((answer) => observation(answer, "")),
    },
  ];
}

const observation = ({ status, isLate }: Answer, value: string): Observation => ({
  status,
  isLate,
  value: status === 200 ? value : "",
});

function listing({ body }: Answer): string {
  const files = ((body as { files?: ListedFile[] }).files ?? []).map(({ permanentUrl: _, ...file }) =>
    JSON.stringify(file),
  );
  return files.sort().join("\n");
}

function passages({ body }: Answer): string {
  const hits = ((body as { data?: SearchHit[] }).data ?? []).map(({ score, pageContent, metadata }) =>
    JSON.stringify({ score: score.toFixed(DIGITS), pageContent, metadata }),
  );
  return hits.sort().join("\n");
}

async function observeBalances(directory: string): Promise<Observation> {
  const { code, output } = await runCommand(directory, ["customer", "list", "--json"]);
  return { status: code === 0 ? 200 : 500, isLate: code === null, value: code === 0 ? output : "" };
}
