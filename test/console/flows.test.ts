/** What people do in the console, in a real browser: signing in, looking after customers, uploading, searching, asking, leaving. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describeWith } from "../requirements.ts";
import { chromiumProgram, complaintsOf, goTo, OPERATOR, startConsole, type ConsoleBrowser, until } from "./browser.ts";

setDefaultTimeout(120_000);

const PASSWORD = "four words without sense";
const BICYCLE = "Wipe the chain with a dry rag while turning the pedals backwards until the rag stays almost clean.";

let browser: ConsoleBrowser;
let backups: string;

const textOf = async (page: Page, selector: string): Promise<string> => (await page.locator(selector).textContent())!;
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

async function uploadAndWait(page: Page, files: Record<string, string>): Promise<void> {
  await page
    .getByLabel("Files to upload")
    .setInputFiles(
      Object.entries(files).map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
    );
  const count = Object.keys(files).length;
  await page.getByText(`${count} of ${count} file${count === 1 ? "" : "s"} sent.`).waitFor();
}

describeWith(chromiumProgram)("the console", () => {
  beforeAll(async () => {
    backups = mkdtempSync(join(tmpdir(), "lectern-backups-"));
    browser = await startConsole({ "backup-dir": backups });
  });
  afterAll(async () => {
    await browser.stop();
    rmSync(backups, { recursive: true, force: true });
  });

  test("a link of the operator signs in once, asks for a password, and leaves the address", async () => {
    const { access } = browser.lectern.appliance;
    const link = access.console.createLink(null, Date.now() + 600_000);
    await browser.visit(null, async (page) => {
      await page.getByText("No password is set yet.").or(page.getByLabel("API key")).first().waitFor();
      await page.goto(`${browser.lectern.url}/#/sign-in/${link}`);
      await page.getByRole("heading", { name: "Choose a password" }).waitFor();
      expect(page.url()).not.toContain(link);
      await page.getByLabel("New password").fill(PASSWORD);
      await page.getByLabel("The same once more").fill(`${PASSWORD}!`);
      await page.getByText("This is not the same.").waitFor();
      expect(await button(page, "Set password").isDisabled()).toBe(true);
      await page.getByLabel("The same once more").fill(PASSWORD);
      await button(page, "Set password").click();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    });
    await browser.visit(null, async (page) => {
      await page.goto(`${browser.lectern.url}/#/sign-in/${link}`);
      await page.getByRole("alert").waitFor();
      expect(await textOf(page, "h1")).toBe("Sign in");
    });
  });

  test("the password signs in, a wrong one is told, and who signs out is out", async () => {
    await browser.visit(null, async (page) => {
      await page.getByLabel("Password").fill("not the password");
      await button(page, "Sign in").click();
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await button(page, "Sign out").click();
      await page.getByText("You are signed out.").waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      expect(await page.context().cookies()).toEqual([]);
    });
  });

  test("the password is changed by who knows the former one, and a wrong one ends nothing", async () => {
    const { url } = browser.lectern;
    await browser.visit(null, async (page) => {
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await goTo(page, "security");
      const change = async (current: string, next: string): Promise<void> => {
        await page.getByLabel("Present password").fill(current);
        await page.getByLabel("New password").fill(next);
        await page.getByLabel("The same once more").fill(next);
        await button(page, "Set password").click();
      };
      await change("not the password", "another without any sense");
      await page.getByRole("alert").waitFor();
      expect(page.url()).toBe(`${url}/#/security`);
      await change(PASSWORD, "another without any sense");
      await page.getByText("The password is set.").waitFor();
    });
  });

  test("a customer signs in by an API key, which the browser does not keep, and sees nothing of the operator's", async () => {
    const { key, customerId } = browser.lectern.customer();
    await browser.visit(null, async (page) => {
      await button(page, "Customer").click();
      await page.getByLabel("API key").fill(key);
      await button(page, "Sign in").click();
      await page.getByText("Nothing to search yet").waitFor();
      expect(await textOf(page, ".who")).toContain(customerId);
      expect(await page.getByRole("link", { name: "Customers" }).count()).toBe(0);
      const kept = await page.evaluate(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])`);
      expect(kept).not.toContain(key);
      expect(kept).not.toContain("lectern_session");
    });
  });

  test("a session that has ended leads to the way in, with a word", async () => {
    const { customerId } = browser.lectern.customer();
    await browser.visit(customerId, async (page) => {
      await page.context().clearCookies();
      await goTo(page, "account");
      await page.getByText("Your session has ended.").waitFor();
    });
  });

  test("the operator makes a customer, whose key is shown once and can be revoked, and removes them by their name", async () => {
    await browser.visit(OPERATOR, async (page) => {
      await goTo(page, "customers");
      await button(page, "New customer").first().click();
      await page.getByRole("dialog").getByLabel("Name").fill("acme");
      await page.getByRole("dialog").getByLabel("Credits").fill("12.5");
      await page.getByRole("dialog").getByRole("button", { name: "New customer" }).click();
      await page.getByRole("heading", { level: 1, name: "acme" }).waitFor();
      await page.locator(".figures-list").getByText("12.5").waitFor();

      await page.getByRole("textbox", { name: "Credits" }).fill("7.5");
      await button(page, "Add").click();
      await page.locator(".figures-list").getByText(/^20/).waitFor();

      await button(page, "Generate API key").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("What it is for").fill("web shop");
      await dialog.getByLabel("It may").selectOption("read");
      await dialog.getByRole("button", { name: "Generate API key" }).click();
      const key = await dialog.getByLabel("API key", { exact: true }).inputValue();
      expect(key).toStartWith("lk_");
      await dialog.getByRole("button", { name: "I have kept it" }).click();
      await page.getByText("search, ask, list, download").waitFor();
      expect(await page.content()).not.toContain(key);
      expect((await browser.lectern.call("GET", "/v1/datasets", { key })).status).toBe(200);

      await button(page, "Revoke \u2068web shop\u2069").click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("revoked", { exact: true }).waitFor();
      expect((await browser.lectern.call("GET", "/v1/datasets", { key })).status).toBe(401);

      await button(page, "Remove customer").click();
      const confirm = page.getByRole("dialog").getByRole("button", { name: "Remove customer" });
      expect(await confirm.isDisabled()).toBe(true);
      await page.getByRole("dialog").getByRole("textbox").fill("acm");
      expect(await confirm.isDisabled()).toBe(true);
      await page.getByRole("dialog").getByRole("textbox").fill("acme");
      await confirm.click();
      await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();
      expect(browser.lectern.appliance.access.customer("acme")).toBeNull();
    });
  });

  test("the operator sees the machine and its models, and makes a backup that is sound", async () => {
    const { customerId, key } = browser.lectern.customer();
    await browser.lectern.upload(key, "d", { "a.txt": BICYCLE });
    await browser.visit(OPERATOR, async (page) => {
      await goTo(page);
      await page.getByText("ready", { exact: true }).waitFor();
      expect(await page.locator("th", { hasText: "POST /v1/files/upload" }).count()).toBe(1);
      await goTo(page, "usage");
      await page.locator(".legend").getByText(customerId).waitFor();
      await goTo(page, "models");
      const meaning = page.locator("section", { hasText: "Turns text into vectors." }).last();
      await meaning.getByText("in use", { exact: true }).waitFor();
      expect(await meaning.getByText("built in", { exact: true }).count()).toBe(1);
      await page
        .getByLabel("File of the model")
        .setInputFiles({ name: "letter.gguf", mimeType: "", buffer: Buffer.from("no model") });
      await page.getByRole("alert").waitFor();
      await goTo(page, "backups");
      await page.getByText("No backups yet").waitFor();
      await button(page, "Back up now").click();
      await button(page, /^Verify /).click();
      await page.getByText("sound", { exact: true }).waitFor();
    });
  });

  test("an invitation of the operator signs the customer in", async () => {
    const { customerId } = browser.lectern.customer();
    let link = "";
    await browser.visit(OPERATOR, async (page) => {
      await goTo(page, "customers", customerId);
      await button(page, "Make a link").click();
      link = await page.getByLabel("Invitation link", { exact: true }).inputValue();
    });
    await browser.visit(null, async (page) => {
      await page.goto(link);
      await page.getByText("Nothing to search yet").waitFor();
      expect(await textOf(page, ".who")).toContain(customerId);
    });
  });

  test("from nothing to the first answer: upload, search, ask, and follow a citation to its source", async () => {
    const { customerId } = browser.lectern.customer(100);
    await browser.visit(customerId, async (page) => {
      await page.getByRole("link", { name: "Upload documents" }).click();
      expect(await page.getByLabel("Name").inputValue()).toBe("documents");
      await uploadAndWait(page, {
        "bicycle.md": `# Chain\n\n${BICYCLE}`,
        "tea.txt": "Tea is brewed for three minutes in water that no longer boils.",
      });
      await page.getByRole("link", { name: "Search now" }).click();
      const found = async (): Promise<number> => {
        await page.getByLabel("Question").fill("How is the chain cleaned?");
        await page.getByLabel("Question").press("Enter");
        await page.getByText(/passages? in /).waitFor();
        return page.locator("section[aria-label=Passages] .result").count();
      };
      while ((await found()) < 2) await page.waitForTimeout(200);
      const first = page.locator("section[aria-label=Passages] .result").first();
      expect(await first.locator("h3").textContent()).toBe("bicycle.md");
      expect(await first.locator("mark").allInnerTexts()).toContain("chain");
      expect(await first.locator(".place").textContent()).toContain("Chain");
      expect(await first.locator(".score").textContent()).toMatch(
        /^(Highly relevant|Relevant|Possibly relevant|Weak) 0?[.\d]+$/,
      );

      await button(page, "Answer").click();
      const citation = page.getByRole("button", { name: "Source 1: \u2068bicycle.md\u2069" });
      await citation.first().waitFor();
      expect(await textOf(page, ".answer > p")).toContain("dry rag");
      await citation.first().click();
      expect(await page.evaluate(`document.activeElement.matches(".sources > li:first-child.is-cited")`)).toBe(true);

      await page.getByText("Do this from a program").first().click();
      const line = await page.locator("section[aria-label=Passages] .code").textContent();
      expect(line).toContain("/v1/search");
      expect(line).toContain("How is the chain cleaned?");

      await goTo(page, "account");
      await page.locator(".legend").getByText("Searches").waitFor();
    });
  });

  test("the operator does so for a customer, whatever their name is", async () => {
    const { access } = browser.lectern.appliance;
    access.createCustomer("büro/مكتبة 100%", null);
    await browser.visit(OPERATOR, async (page) => {
      await goTo(page, "customers", "büro/مكتبة 100%", "datasets");
      await uploadAndWait(page, { "bicycle.md": BICYCLE });
      await page.getByRole("link", { name: "Search now" }).click();
      await page.getByLabel("Question").fill("How is the chain cleaned?");
      do {
        await page.getByLabel("Question").press("Enter");
        await page.getByText(/passages? in /).waitFor();
        await page.waitForTimeout(200);
      } while ((await page.locator(".result").count()) === 0);
      const { width, height } = page.viewportSize()!;
      await page.setViewportSize({ width: 360, height: 500 });
      await button(page, "Answer").click();
      await page.getByText("word for word").waitFor();
      expect(await textOf(page, ".answer > p")).toContain("dry rag");
      const { y } = (await page.locator(".answer").boundingBox())!;
      expect([y >= 0, y < 500]).toEqual([true, true]);
      await page.setViewportSize({ width, height });
      await page.getByRole("navigation", { name: "Pages of" }).getByRole("link", { name: "Account" }).click();
      await page.getByRole("heading", { level: 1, name: "büro/مكتبة 100%" }).waitFor();
      await page.locator(".legend").getByText("Uploads").waitFor();
    });
  });

  test("files that are dropped are uploaded, with the metadata that was typed for them", async () => {
    const { customerId, key } = browser.lectern.customer();
    await browser.visit(customerId, async (page) => {
      await goTo(page, "datasets", "dropped");
      await page.getByText("Metadata and language").click();
      await page.getByLabel("Metadata of these files").fill("{year: 2026}");
      await page.getByText("This is no JSON object.").waitFor();
      await page.getByLabel("Metadata of these files").fill('{"year": 2026}');
      const dropped = await page.evaluateHandle(
        `(() => { const data = new DataTransfer(); data.items.add(new File(["What was dropped."], "dropped.txt")); return data; })()`,
      );
      await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
      await page.getByText("1 of 1 file sent.").waitFor();
    });
    const { body } = await browser.lectern.call("GET", "/v1/files?datasetId=dropped", { key });
    expect(body.files).toEqual([expect.objectContaining({ originalName: "dropped.txt", extraMeta: { year: 2026 } })]);
  });

  test("files are found by name, downloaded as they were, replaced and removed; what cannot be read says why", async () => {
    const { customerId, key } = browser.lectern.customer();
    await browser.visit(customerId, async (page) => {
      await goTo(page, "datasets", "notes");
      await page.getByText("No files yet").waitFor();
      await uploadAndWait(page, { "first.txt": "What was written first.", "broken.pdf": "%PDF-1.7 and nothing more" });
      await page.getByText("could not be read", { exact: true }).waitFor();
      expect(await textOf(page, ".reason")).toContain("broken.pdf");

      const downloading = page.waitForEvent("download");
      await button(page, "Download \u2068first.txt\u2069").click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe("first.txt");
      expect(await Bun.file(await download.path()).text()).toBe("What was written first.");

      await page
        .locator("li", { hasText: "first.txt" })
        .getByLabel("Replace \u2068first.txt\u2069 by another file")
        .first()
        .setInputFiles({ name: "second.txt", mimeType: "text/plain", buffer: Buffer.from("What was written later.") });
      await page.getByText("second.txt").first().waitFor();
      const listed = await browser.lectern.call("GET", "/v1/files?datasetId=notes", { key });
      expect(listed.body.files.map((file: { originalName: string }) => file.originalName).sort()).toEqual([
        "broken.pdf",
        "second.txt",
      ]);

      await page.getByLabel("Find a file by its whole name").fill("broken.pdf");
      await button(page, "Find").click();
      await page.getByText("second.txt").first().waitFor({ state: "detached" });
      await button(page, "Remove \u2068broken.pdf\u2069").click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await page.getByText("No file is called").waitFor();
    });
  });

  test("a long list of files is looked at page by page, each of which is short", async () => {
    const { customerId, key } = browser.lectern.customer();
    const names = [...Array(90)].map((_, at) => `note-${String(at).padStart(2, "0")}.txt`);
    await browser.lectern.upload(key, "many", Object.fromEntries(names.map((name) => [name, `This is ${name}.`])));
    await browser.visit(customerId, async (page) => {
      await goTo(page, "datasets", "many");
      const seen = new Set<string>();
      for (let part = 1; ; part++) {
        const shown = await page.locator(".file-name").allInnerTexts();
        expect(shown.length).toBeLessThanOrEqual(50);
        for (const name of shown) seen.add(name);
        if (await button(page, "Older").isDisabled()) break;
        await button(page, "Older").click();
        await page.getByText(`Page ${part + 1}`).waitFor();
        await until(page, `document.querySelector(".file-name")?.textContent !== ${JSON.stringify(shown[0])}`);
      }
      expect([...seen].sort()).toEqual(names);
    });
  });

  test("a question that costs more than is left says so, and one that is refused keeps what was typed", async () => {
    const { customerId, key } = browser.lectern.customer(1);
    await browser.lectern.upload(key, "d", { "a.txt": "Some text." });
    await browser.visit(customerId, async (page) => {
      await page.getByLabel("Question").fill("text");
      await button(page, "Search").click();
      expect(await page.getByRole("alert").textContent()).toContain("0.1 credits");
      expect(await page.getByLabel("Question").inputValue()).toBe("text");
    });
  });

  test("searching while typing is off until it is wanted, and says what it costs", async () => {
    const { customerId, key } = browser.lectern.customer(100);
    await browser.lectern.upload(key, "d", { "a.txt": BICYCLE });
    await browser.visit(customerId, async (page) => {
      const searches: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/v1/search")) searches.push(request.postData()!);
      });
      await page.getByLabel("Question").pressSequentially("chain");
      await page.getByText("Filters and options").click();
      await page.getByText("costs 0.1 credits", { exact: false }).last().waitFor();
      expect(searches).toEqual([]);
      await page.getByLabel(/Search while I type/).check();
      await page.locator(".result").first().waitFor();
      expect(searches.length).toBe(1);
    });
  });

  test("filters reach the search as they were typed", async () => {
    const { customerId, key } = browser.lectern.customer();
    await browser.lectern.upload(key, "d", { "old.txt": BICYCLE }, { extraMeta: '{"year": 2020}' });
    await browser.lectern.upload(key, "d", { "new.txt": `${BICYCLE} Newer.` }, { extraMeta: '{"year": 2026}' });
    await browser.visit(customerId, async (page) => {
      await page.getByText("Filters and options").click();
      await button(page, "Add a condition").click();
      await page.getByLabel("Field of condition 1").fill("year");
      await page.getByLabel("Comparison of condition 1").selectOption("atLeast");
      await page.getByLabel("Value of condition 1").fill("2025");
      await page.getByLabel("Question").fill("chain");
      await page.getByLabel("Question").press("Enter");
      await page.locator(".result").first().waitFor();
      expect(await page.locator(".result h3").allInnerTexts()).toEqual(["new.txt"]);
    });
  });

  test("everything can be done without a mouse", async () => {
    const { key, customerId } = browser.lectern.customer();
    await browser.lectern.upload(key, "d", { "a.txt": BICYCLE });
    await browser.visit(customerId, async (page) => {
      await page.getByLabel("Question").waitFor();
      await page.reload();
      await page.getByLabel("Question").waitFor();
      const focus = (): Promise<string> =>
        page.evaluate(
          `(() => { const at = document.activeElement; return at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent; })()`,
        );
      expect(await focus()).toBe("Search");
      const tabTo = async (name: string, backwards = false): Promise<void> => {
        for (let tabs = 0; tabs < 60; tabs++) {
          await page.keyboard.press(backwards ? "Shift+Tab" : "Tab");
          if ((await focus()) === name) return;
        }
        throw new Error(`No key leads to ${name}`);
      };
      await tabTo("Question");
      await page.keyboard.type("chain");
      await page.keyboard.press("Enter");
      await page.locator(".result").first().waitFor();
      await tabTo("Account", true);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
      await until(page, `document.title === "Account · Lectern"`);
      expect(await focus()).toBe("Account");
      await page.getByText("API keys").waitFor();
      await tabTo("Generate API key");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await until(page, `document.activeElement.textContent === "Generate API key"`);
      await tabTo("Skip to the content", true);
      await page.keyboard.press("Enter");
      expect(await page.evaluate(`document.activeElement.id`)).toBe("content");
    });
  });

  test("the theme that is chosen stays, and is there before anything is painted", async () => {
    await browser.visit(
      null,
      async (page) => {
        const ground = (): Promise<string> => page.evaluate(`getComputedStyle(document.body).backgroundColor`);
        const light = await ground();
        await button(page, "Dark").click();
        const dark = await ground();
        expect(dark).not.toBe(light);
        await page.reload();
        expect(await ground()).toBe(dark);
        await button(page, "As the system has it").click();
        expect(await ground()).toBe(light);
      },
      { colorScheme: "light" },
    );
  });

  test("what a browser complains of would be noticed", async () => {
    await browser.visit(null, async (page) => {
      const blank = await page.context().newPage();
      const complaints = complaintsOf(blank, browser.lectern.url);
      await blank.goto(browser.lectern.url);
      await blank.evaluate(
        `(() => { const script = document.createElement("script"); try { script.textContent = "alert(1)"; } catch (error) { console.error(String(error)); } document.body.append(script); const image = new Image(); image.src = "http://127.0.0.1:9/"; })()`,
      );
      while (complaints.length < 2) await blank.waitForTimeout(20);
      expect(complaints.join("\n")).toContain("Content Security Policy");
    });
  });
});
