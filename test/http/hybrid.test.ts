/** What searches find by the words of the question as well as by its meaning, and that filters, deletes and modes hold for both. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startLectern, type TestServer } from "../harness.ts";

let lectern: TestServer;
let key: string;

/** Sentences about the same things, so that only the name or number tells the passages apart. */
const PARTS: Record<string, (part: string) => string> = {
  eng: (part) => `The spare part ${part} is kept in the warehouse and ordered from the supplier.`,
  deu: (part) => `Das Ersatzteil ${part} liegt im Lager und wird beim Lieferanten bestellt.`,
  jpn: (part) => `交換部品${part}は倉庫に保管され、仕入先に注文します。`,
  arb: (part) => `قطعة الغيار ${part} محفوظة في المستودع وتطلب من المورد.`,
  rus: (part) => `Запасная часть ${part} хранится на складе и заказывается у поставщика.`,
  tha: (part) => `อะไหล่ ${part} เก็บไว้ในคลังสินค้าและสั่งซื้อจากผู้จำหน่าย`,
  hin: (part) => `पुर्जा ${part} गोदाम में रखा है और आपूर्तिकर्ता से मँगाया जाता है।`,
};
const QUESTIONS: Record<string, (part: string) => string> = {
  eng: (part) => `Where is ${part}?`,
  zho: (part) => `${part}在哪里?`,
  kor: (part) => `${part} 어디에 있나요?`,
  fra: (part) => `Où se trouve ${part} ?`,
};

const name = (language: string, number: number) => `${language}-${number}.txt`;
const partOf = (language: string, number: number) =>
  `${language.slice(0, 2).toUpperCase()}-${4000 + number * 37}-${"QXZKW"[number % 5]}`;
const NUMBERS = 12;

interface Result {
  readonly score: number;
  readonly metadata: { readonly originalName: string; readonly fileId: string };
}

const search = async (question: string, more: Record<string, unknown> = {}, datasetId = "parts"): Promise<Result[]> =>
  (await lectern.search(key, datasetId, question, more)).body.data as Result[];
const firstName = async (question: string, more: Record<string, unknown> = {}) =>
  (await search(question, more))[0]?.metadata.originalName;

beforeAll(async () => {
  lectern = await startLectern();
  ({ key } = lectern.customer());
  for (const [language, passage] of Object.entries(PARTS)) {
    const files = Object.fromEntries(
      Array.from({ length: NUMBERS }, (_, number) => [name(language, number), passage(partOf(language, number))]),
    );
    await lectern.upload(key, "parts", files, { extraMeta: JSON.stringify({ language }) });
  }
  await lectern.upload(key, "parts", {
    "errors.txt": "Bei E_CONN_0x80070005 fehlt dem Dienst das Recht, die Datei zu lesen.",
  });
  await lectern.upload(key, "parts", {
    "people.txt": "この製品についてはKowalczyk-Brzezińskaさんにお問い合わせください。",
  });
});
afterAll(() => lectern.stop());

describe("verbatim", () => {
  for (const language of Object.keys(PARTS)) {
    test.each(Object.keys(QUESTIONS))(`a part number in ${language} is found by a question in %s`, async (asked) => {
      for (const number of [1, 7])
        expect(await firstName(QUESTIONS[asked]!(partOf(language, number)))).toBe(name(language, number));
    });
  }

  test("error codes and names are found in whatever language", async () => {
    expect(await firstName("what does E_CONN_0x80070005 mean")).toBe("errors.txt");
    expect(await firstName("エラー E_CONN_0x80070005 の原因")).toBe("errors.txt");
    expect(await firstName("Kowalczyk-Brzezińska phone number")).toBe("people.txt");
  });
});

describe("filters and deletes", () => {
  test("a filter restricts what the words may find, and hardly changes a passage's score", async () => {
    const part = partOf("deu", 3);
    const question = `Wo liegt ${part}?`;
    const everywhere = (await search(question)).find(({ metadata }) => metadata.originalName === name("deu", 3))!;
    const filtered = await search(question, { filters: [{ key: "language", match: { value: "deu" } }] });
    expect({ ...filtered[0], score: 0 }).toEqual({ ...everywhere, score: 0 });
    expect(Math.abs(filtered[0]!.score - everywhere.score)).toBeLessThan(0.3);
    const elsewhere = await search(question, { filters: [{ key: "language", match: { value: "hin" } }] });
    expect(elsewhere.map(({ metadata }) => metadata.originalName).every((one) => one.startsWith("hin"))).toBe(true);
    expect(elsewhere).toHaveLength(8);
  });

  test("a deleted file is not found by its words, a new one at once", async () => {
    const [fileId] = await lectern.upload(key, "parts", { "new.txt": "Gasket ZZ-990017-Y fits every pump." });
    expect(await firstName("ZZ-990017-Y")).toBe("new.txt");
    await lectern.call("DELETE", `/v1/files/${fileId}`, { key });
    expect((await search("ZZ-990017-Y")).map(({ metadata }) => metadata.originalName)).not.toContain("new.txt");
  });

  test("another customer's words are not found", async () => {
    const other = lectern.customer();
    await lectern.upload(other.key, "parts", { "secret.txt": "The vault opens with QX-555777." });
    expect((await search("QX-555777")).map(({ metadata }) => metadata.originalName)).not.toContain("secret.txt");
  });
});

test("answers are made from the same passages", async () => {
  const question = QUESTIONS.eng!(partOf("rus", 5));
  const reply = await lectern.call("POST", "/v1/query", { key, json: { datasetId: "parts", question } });
  expect(reply.body.data.sources[0].metadata.originalName).toBe(name("rus", 5));
});

test("metrics tell how much memory the words take", async () => {
  const { text } = await lectern.call("GET", "/metrics");
  expect(text).toMatch(/^lectern_index_lexical_bytes [1-9]/m);
  expect(text).toMatch(/^lectern_index_lexical_chunks [1-9]/m);
});

describe("modes", () => {
  test("vector: by meaning alone; hybrid again: what was uploaded meanwhile is found by its words", async () => {
    const question = QUESTIONS.zho!(partOf("arb", 4));
    await lectern.restart({ "search-mode": "vector" });
    expect(lectern.appliance.models.chosen.hybrid).toBe(false);
    await lectern.upload(key, "parts", { "late.txt": "Valve TT-118822-B was delivered on Friday." });
    expect(await search(question)).toHaveLength(8);
    await lectern.restart({ "search-mode": "hybrid" });
    expect(await firstName(question)).toBe(name("arb", 4));
    expect(await firstName("TT-118822-B")).toBe("late.txt");
  });
});
