/** `lectern console …` and `customer invite`: how one gets into the console from the command line, beside a running server. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { program, testWith } from "../requirements.ts";
import { answering, lectern, serve, temporaryFolder, type Server } from "./lectern.ts";

const PASSWORD = "correct horse battery";
const folder = temporaryFolder();
const data = ["--data-dir", folder.dataDirectory];
let server: Server;

beforeAll(async () => {
  server = await serve(folder.dataDirectory);
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const signIn = async (by: Record<string, string>): Promise<{ status: number; role: string | undefined }> => {
  const response = await fetch(`${server.url}/console/session`, { method: "POST", body: JSON.stringify(by) });
  const { session } = (await response.json()) as { session?: { role: string } };
  return { status: response.status, role: session?.role };
};
const secretOf = (link: string): string => {
  expect(link).toStartWith(`${server.url}/#/sign-in/`);
  return link.trim().split("/").at(-1)!;
};

test("the link of the first start signs the operator in, once", async () => {
  const link = /https?:\S+sign-in\/\S+/.exec(server.lines.join("\n"))![0];
  expect(await signIn({ link: secretOf(link) })).toEqual({ status: 201, role: "operator" });
  expect(await signIn({ link: secretOf(link) })).toEqual({ status: 401, role: undefined });
});

test("`console link` makes another one", async () => {
  const { stdout } = await lectern(["console", "link", ...data]);
  expect(await signIn({ link: secretOf(stdout) })).toEqual({ status: 201, role: "operator" });
});

test("`console password` reads it from standard input, and it holds at once", async () => {
  const { code, stdout } = await lectern(["console", "password", ...data], {}, `${PASSWORD}\nand not this\n`);
  expect([code, stdout]).toEqual([0, "The password is set.\n"]);
  expect(await signIn({ password: PASSWORD })).toEqual({ status: 201, role: "operator" });
});

testWith(program("script"))("on a terminal it asks twice, and shows nothing of it", async () => {
  const { code, output } = await answering("a long password\nanother long one", ["console", "password", ...data]);
  expect(code).toBe(1);
  expect(output).toContain("New password: ");
  expect(output).toContain("are not the same. Nothing was changed.");
  const given = await answering("\u0004", ["console", "password", ...data]);
  expect(given.output).toContain("lectern: Nothing was changed.");
  expect(await signIn({ password: PASSWORD })).toMatchObject({ status: 201 });
});

test.each(["short", "", "\n"])("%p is no password, and the last one stays", async (input) => {
  const { code, stderr } = await lectern(["console", "password", ...data], {}, input);
  expect([code, stderr]).toEqual([1, "lectern: A password has 12 to 1024 characters. Nothing was changed.\n"]);
  expect(await signIn({ password: PASSWORD })).toMatchObject({ status: 201 });
});

test("`customer invite` lets a customer in, and nobody who is none", async () => {
  const { stdout } = await lectern(["customer", "invite", "default", "--days", "1", ...data]);
  expect(await signIn({ link: secretOf(stdout) })).toEqual({ status: 201, role: "customer" });
  const unknown = await lectern(["customer", "invite", "nobody", ...data]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no customer "nobody"')] as never);
  for (const days of ["0", "91", "1.5", "week"])
    expect((await lectern(["customer", "invite", "default", "--days", days, ...data])).code).toBe(2);
});
