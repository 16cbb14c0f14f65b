/** The programs that the clients' READMEs and the project's show run as they are, on a real server. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../cli/lectern.ts";
import { startLectern, type TestServer } from "../harness.ts";
import { program, testWith } from "../requirements.ts";
import { packageFolder } from "./clients.ts";

const root = join(import.meta.dir, "../..");
const sample = readdirSync(join(root, "samples")).find((name) => name.endsWith(".pdf"))!;
const folder = temporaryFolder();
let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startLectern();
  ({ key } = server.customer());
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** The first program in that language, for this server; it finds the file that it uploads beside it. */
function programOf(readme: string, language: string): string {
  const [, code = ""] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(
    readFileSync(join(root, readme), "utf8"),
  )!;
  expect(code).toContain("http://127.0.0.1:8080");
  return code.replaceAll("http://127.0.0.1:8080", server.url);
}

async function run(command: string[], cwd: string, environment: Record<string, string>): Promise<void> {
  cpSync(join(root, "samples", sample), join(cwd, "bicycle.pdf"));
  const child = Bun.spawn(command, { cwd, env: { ...process.env, ...environment }, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  expect([await child.exited, said]).toEqual([0, ""]);
}

test.each(["clients/typescript/README.md", "README.md"])("the TypeScript of %s", async (readme) => {
  const path = join(packageFolder(), "example.ts");
  writeFileSync(path, programOf(readme, "ts"));
  await run([process.execPath, path], packageFolder(), { LECTERN_KEY: key });
});

for (const readme of ["clients/python/README.md", "README.md"])
  testWith(program("python3"))(`the Python of ${readme}`, async () => {
    const code = `import os\nkey = os.environ["LECTERN_KEY"]\n${programOf(readme, "python")}`;
    const environment = { LECTERN_KEY: key, PYTHONPATH: join(root, "clients/python") };
    await run(["python3", "-B", "-c", code], folder.path, environment);
  });
