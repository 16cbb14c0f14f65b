/** The console in a real browser, on a real server; whatever the browser would complain of is kept. */
import { expect } from "bun:test";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { startLectern, type TestServer } from "../harness.ts";
import type { Requirement } from "../requirements.ts";

/** Debian's name, and what others call it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const program = NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ?? null;

export const chromiumProgram: Requirement = { isMet: program !== null, what: "the program chromium" };

export interface ConsoleBrowser {
  readonly lectern: TestServer;
  /**
   * A browser profile of its own, in which a customer is signed in, or the operator; null: nobody. Fails where the browser had anything to
   * complain of: errors, dialogs, what the policy forbids, requests that leave the server.
   */
  visit(who: string | null, visit: (page: Page) => Promise<void>, options?: BrowserContextOptions): Promise<void>;
  stop(): Promise<void>;
}

export const OPERATOR = "\0operator";

/** Milliseconds until something that is waited for counts as missing, on a busy machine. */
const PATIENCE = 30_000;

export async function startConsole(flags: Record<string, string> = {}): Promise<ConsoleBrowser> {
  const lectern = await startLectern(flags);
  const browser: Browser = await chromium.launch({
    executablePath: program!,
    // The tests may be run by the superuser, whom Chromium's sandbox does not take.
    args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
  const { access } = lectern.appliance;

  async function signIn(page: Page, who: string): Promise<void> {
    const link = access.console.createLink(who === OPERATOR ? null : who, Date.now() + 600_000);
    await page.goto(`${lectern.url}/#/sign-in/${link}`);
    if (who === OPERATOR) await page.getByRole("button", { name: "Not now" }).click();
    await page.locator("main h1").waitFor();
  }

  return {
    lectern,
    async visit(who, visit, options = {}) {
      const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", ...options });
      try {
        context.setDefaultTimeout(PATIENCE);
        const page = await context.newPage();
        const complaints = complaintsOf(page, lectern.url);
        if (who === null) await page.goto(lectern.url);
        else await signIn(page, who);
        await visit(page);
        expect(complaints).toEqual([]);
      } finally {
        await context.close();
      }
    },
    async stop() {
      await browser.close();
      await lectern.stop();
    },
  };
}

/** What a browser complains of from now on. */
export function complaintsOf(page: Page, origin: string): readonly string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A refused request is told by the page itself.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol !== "data:" && asked !== origin) complaints.push(`a request of ${request.url()}`);
  });
  return complaints;
}

/** Leads to an address inside the page, and waits until it is shown. */
export async function goTo(page: Page, ...segments: readonly string[]): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${segments.map(encodeURIComponent).join("/")}`)}`);
  await settled(page);
}

/** Until everything that a page asks for has come. */
export async function settled(page: Page): Promise<void> {
  await until(page, `document.querySelector("main h1") !== null && document.querySelector(".waiting") === null`);
  await page.waitForLoadState("networkidle");
}

/** Until an expression is true in the page. By `evaluate`: what else there is would be code of text, which the policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await page.evaluate(expression))) {
    if (Date.now() > deadline) throw new Error(`It never came true: ${expression}`);
    await page.waitForTimeout(20);
  }
}
