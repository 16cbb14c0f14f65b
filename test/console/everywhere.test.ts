/** What holds for every page of the console: who cannot see or has little room can use it, and no text of anybody's ever becomes more than text. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describeWith } from "../requirements.ts";
import { chromiumProgram, goTo, OPERATOR, startConsole, type ConsoleBrowser } from "./browser.ts";

setDefaultTimeout(180_000);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>'\`\${alert(3)}`;
/** A name of a file holds no slash. */
const HOSTILE_NAME = `<img src=x onerror=alert(1)><svg onload=alert(2)>.txt`;
const ARABIC = "تُنظَّف السلسلة بقطعة قماش جافة كل شهر.";

const pagesOfOperator = ["", "customers", "usage", "jobs", "models", "backups", "log", "security", "nowhere"].map(
  (name) => (name === "" ? [] : [name]),
);
const pagesOfCustomer = [
  [],
  ["search", "handbook"],
  ["datasets"],
  ["datasets", "handbook"],
  ["datasets", "empty"],
  ["account"],
];

let browser: ConsoleBrowser;
let customerId: string;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe-core finds wrong with the page as it is now. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate<{ violations: readonly Violation[] }>("axe.run()");
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** CSS pixels that the page is wider than what shows it. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

async function searchAndAsk(page: Page, question: string): Promise<void> {
  await page.getByLabel("Question").fill(question);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator("section[aria-label=Passages] .result").first().waitFor();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.locator(".sources .result").first().waitFor();
  await page.getByText("word for word").waitFor();
}

/** Everything that can be unfolded. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(`document.querySelectorAll("details").forEach((details) => { details.open = true; })`);

describeWith(chromiumProgram)("every page of the console", () => {
  beforeAll(async () => {
    browser = await startConsole();
    const { lectern } = browser;
    const customer = lectern.customer();
    customerId = customer.customerId;
    lectern.appliance.access.createApiKey(customerId, HOSTILE);
    await lectern.upload(
      customer.key,
      "handbook",
      { "chain.md": "# Chain\n\nWipe the chain with a dry rag every month.", "سلسلة.txt": ARABIC },
      { extraMeta: '{"year": 2026}' },
    );
    await lectern.upload(
      customer.key,
      "handbook",
      { [HOSTILE_NAME]: `The chain ${HOSTILE} is cleaned with <b>oil</b> and a dry rag.` },
      { extraMeta: JSON.stringify({ [HOSTILE]: HOSTILE }), path: `notes/${HOSTILE_NAME}` },
    );
    await lectern.upload(customer.key, HOSTILE.slice(0, 90), { "a.txt": "Some text." });
    await lectern.call("POST", "/v1/files/upload?async=true", {
      key: customer.key,
      body: form("handbook", `broken ${HOSTILE_NAME.replace(".txt", ".pdf")}`, "%PDF-1.7 and nothing more"),
    });
    await lectern.search(customer.key, "handbook", "chain");
  });
  afterAll(() => browser.stop());

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 360],
  ] as const)("nobody is left out of it: %s, %p pixels wide", async (colorScheme, width) => {
    const found: Record<string, string[]> = {};
    const look = async (page: Page, name: string): Promise<void> => {
      await unfold(page);
      const wrong = await violations(page);
      const wider = await overflow(page);
      if (wider > 0) wrong.push(`${wider} pixels wider than its window`);
      if (wrong.length > 0) found[name] = wrong;
    };
    const options = { colorScheme, viewport: { width, height: 800 } };
    await browser.visit(null, (page) => look(page, "sign in"), options);
    await browser.visit(
      OPERATOR,
      async (page) => {
        for (const path of [...pagesOfOperator, ...pagesOfCustomer.map((rest) => ["customers", customerId, ...rest])]) {
          await goTo(page, ...path);
          await look(page, `operator: ${path.join("/")}`);
        }
        await goTo(page, "customers");
        await page.getByRole("button", { name: "New customer" }).click();
        await look(page, "operator: new customer");
      },
      options,
    );
    await browser.visit(
      customerId,
      async (page) => {
        for (const path of pagesOfCustomer) {
          await goTo(page, ...path);
          await look(page, `customer: ${path.join("/")}`);
        }
        await page.getByRole("button", { name: "Generate API key" }).click();
        await look(page, "customer: new key");
        await page.keyboard.press("Escape");
        await goTo(page, "search", "handbook");
        await searchAndAsk(page, "How is the chain cleaned?");
        await look(page, "customer: results");
      },
      options,
    );
    expect(found).toEqual({});
  });

  test("markup in names, metadata, texts, keys and answers is shown as it is written, and never runs", async () => {
    await browser.visit(customerId, async (page) => {
      const shows = async (text: string): Promise<void> => {
        expect(await page.locator("main").textContent()).toContain(text);
      };
      await goTo(page, "datasets");
      await shows(HOSTILE.slice(0, 90));
      await goTo(page, "datasets", "handbook");
      await shows(HOSTILE_NAME);
      await shows(JSON.stringify({ [HOSTILE]: HOSTILE }));
      await page.getByText("could not be read", { exact: true }).waitFor();
      await goTo(page, "account");
      await shows(HOSTILE);
      await goTo(page, "search", "handbook");
      await searchAndAsk(page, `How is the chain ${HOSTILE} cleaned?`);
      await unfold(page);
      await shows(`The chain ${HOSTILE} is cleaned with <b>oil</b>`);
      await shows(HOSTILE_NAME);
      await goTo(page, "search", HOSTILE.slice(0, 90));
      await goTo(page, HOSTILE);
      expect(
        await page.evaluate(`document.querySelectorAll("main img, main script, main b, main svg[onload]").length`),
      ).toBe(0);
    });
  });

  test("what is written from right to left is read so, and nothing around it turns", async () => {
    await browser.visit(customerId, async (page) => {
      const direction = (selector: string): Promise<string> =>
        page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`);
      await goTo(page, "search", "handbook");
      await page.getByLabel("Question").fill("كيف تُنظَّف السلسلة؟");
      expect(await direction("#question")).toBe("rtl");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.locator(".result").first().waitFor();
      const directions = await page.evaluate(
        `[...document.querySelectorAll(".passage")].map((passage) => [/[\\u0600-\\u06ff]/.test(passage.textContent[0]), getComputedStyle(passage).direction])`,
      );
      expect(directions).toContainEqual([true, "rtl"]);
      expect(directions).not.toContainEqual([false, "rtl"]);
      expect(await direction("main")).toBe("ltr");
    });
  });

  test("a word that nobody broke does not widen the page", async () => {
    const { lectern } = browser;
    const { key, customerId: other } = lectern.customer();
    const word = "donaudampfschifffahrt".repeat(12);
    await lectern.upload(
      key,
      word.slice(0, 100),
      { [`${word.slice(0, 200)}.txt`]: `${word} chain` },
      { extraMeta: JSON.stringify({ word }) },
    );
    await browser.visit(
      other,
      async (page) => {
        for (const path of [["datasets"], ["datasets", word.slice(0, 100)], ["search", word.slice(0, 100)]]) {
          await goTo(page, ...path);
          expect([path[0], await overflow(page)]).toEqual([path[0], 0]);
        }
        await searchAndAsk(page, `${word} chain`);
        await unfold(page);
        expect(await overflow(page)).toBe(0);
      },
      { viewport: { width: 360, height: 700 } },
    );
  });
});

function form(datasetId: string, name: string, text: string): FormData {
  const body = new FormData();
  body.append("datasetId", datasetId);
  body.append("file", new File([text], name));
  return body;
}
