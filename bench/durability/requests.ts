/** The requests that are under way when the server dies, each written into the ledger. */
import { uploadForm, type Answer, type ListedFile } from "../client.ts";
import type { BenchServer } from "../server.ts";
import type { BulkDeletion, Uploaded } from "./ledger.ts";
import { clientOf, DATASETS, type Customer, type World } from "./world.ts";

/** More are not uploaded until some were deleted: a round looks at every one. */
const MOST_FILES = 60;
const PRICE_OF_FILE = 1000;
const PRICE_OF_SEARCH = 100;
/** Between requests to a server that is not there. */
const PAUSE = 10;

/** One request of a kind chosen at random. */
export async function oneRequest(server: BenchServer, world: World): Promise<void> {
  const { random } = world;
  const customer = random.pick(world.active());
  if (customer === undefined) return Bun.sleep(PAUSE);
  const choice = random.next();
  const stored = world.stored().length;
  if (choice < 0.04) await deleteMany(world, customer);
  else if (choice < 0.1) await createToken(server, world, customer);
  else if (choice < 0.3) await searchPaid(customer, "Where is the beacon?");
  else if (choice < (stored > MOST_FILES ? 1 : 0.5) && stored > 20) await deleteOne(world);
  else await uploadSome(world, customer);
}

/** A search, booked. */
export async function searchPaid(
  customer: Customer,
  question: string,
  fileId?: string,
  datasetId: string = DATASETS[0],
): Promise<Answer> {
  const answer = await clientOf(customer).call("POST", "/v1/search", {
    datasetId,
    question,
    ...(fileId !== undefined && { filters: [{ key: "fileId", match: { value: fileId } }] }),
  });
  if (answer.status === 200) customer.account.book(-PRICE_OF_SEARCH);
  else if (answer.status === 0) {
    customer.account.bookMaybe(-PRICE_OF_SEARCH);
    await Bun.sleep(PAUSE);
  }
  return answer;
}

export const priceOfFiles = (count: number): number => count * PRICE_OF_FILE;

async function uploadSome(world: World, customer: Customer): Promise<void> {
  const { random } = world;
  const request = world.next();
  const { customerId } = customer;
  const datasetId = random.pick(DATASETS)!;
  const texts = new Map(
    Array.from({ length: 1 + random.below(3) }, (_, index) => {
      const word = `beacon${request}q${index}x`;
      return [
        word,
        `# ${word}\n\nThe keeper wrote ${word} into the log and lit the lamp.\n\n${Buffer.from(random.bytes(random.below(900))).toString("base64url")}\n`,
      ];
    }),
  );
  const form = uploadForm(
    { datasetId, extraMeta: JSON.stringify({ request, keeper: customerId }) },
    Object.fromEntries([...texts].map(([word, text]) => [`${word}.md`, text])),
  );
  const began = performance.now();
  // Noted before it is sent: what is stored without an answer must be known too.
  const files = [...texts].map(
    ([word, text]): Uploaded => ({
      word,
      sha256: sha256(text),
      customerId,
      datasetId,
      request,
      began,
      ended: null,
      outcome: "unanswered",
      fileId: null,
      deletion: null,
    }),
  );
  world.files.push(...files);
  const { status, body } = await clientOf(customer).call("POST", "/v1/files/upload", form);
  if (status === 0) return Bun.sleep(PAUSE);
  const ids = new Map(((body as { files?: ListedFile[] }).files ?? []).map((file) => [file.originalName, file.fileId]));
  const ended = performance.now();
  if (status === 200) customer.account.book(-priceOfFiles(files.length));
  for (const file of files) {
    file.ended = ended;
    file.outcome = status === 200 ? "stored" : "refused";
    file.fileId = ids.get(`${file.word}.md`) ?? null;
  }
}

async function deleteOne(world: World): Promise<void> {
  const file = world.random.pick(world.stored());
  const customer = file && world.customers.get(file.customerId);
  if (file === undefined || customer?.keys.length === 0) return;
  file.deletion = { began: performance.now(), ended: null };
  const { status } = await clientOf(customer!).call("DELETE", `/v1/files/${file.fileId}`);
  if (status === 200) file.deletion.ended = performance.now();
  // Refused before anything was done; a server error says nothing of the kind.
  else if (status > 0 && status < 500) file.deletion = null;
}

/** All of one dataset; of the second customer now and then everything. */
async function deleteMany(world: World, customer: Customer): Promise<void> {
  const datasetId = customer.customerId === "beta" && world.random.chance(0.5) ? null : DATASETS[1];
  const bulk = { customerId: customer.customerId, datasetId, began: performance.now(), ended: null } as BulkDeletion;
  world.bulks.push(bulk);
  const { status } = await clientOf(customer).call(
    "DELETE",
    datasetId === null ? "/v1/files" : `/v1/datasets/${datasetId}/files`,
  );
  if (status === 200) bulk.ended = performance.now();
  else if (status > 0 && status < 500) world.bulks = world.bulks.filter((other) => other !== bulk);
}

async function createToken(server: BenchServer, world: World, customer: Customer): Promise<void> {
  const { status, body } = await clientOf(customer).call("POST", "/v1/tokens/create", {
    datasetId: DATASETS[0],
    ttlSeconds: 86_400,
  });
  if (status === 200)
    world.tokens.push({ customerId: customer.customerId, client: server.as((body as { token: string }).token) });
}

export function sha256(content: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}
