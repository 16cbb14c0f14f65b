/** A clock that is set wrong and right again: what is made afterwards works at once, and nothing lives longer than it should. */
import { afterEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { accessDatabasePath, type Access } from "../../src/access/index.ts";
import { downloadLink, isValidLink, LINK_LIFETIME } from "../../src/operations/links.ts";
import { cleanUp, NOON, sampleAccess } from "./samples.ts";

afterEach(cleanUp);

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** The customer is made, and everything used, while the clock shows the first time; then it shows the second. */
const jumps: [what: string, before: number, after: number][] = [
  ["400 days ahead and back", NOON + 400 * DAY, NOON],
  ["to 1970 and right again", 0, NOON],
  ["right, then to 1970", NOON, 0],
  ["back by an hour", NOON, NOON - HOUR],
  ["back by a second", NOON, NOON - SECOND],
  ["on by 400 days", NOON, NOON + 400 * DAY],
];

describe.each(jumps)("a clock set %s", (_what, before, after) => {
  /** A customer `late`, made before the jump. */
  async function afterJump(
    use: (access: Access) => Promise<void> | void = () => {},
  ): Promise<{ access: Access; clock: { now: number } }> {
    const { access, clock } = sampleAccess();
    clock.now = before;
    access.createCustomer("late", 5000);
    await use(access);
    clock.now = after;
    return { access, clock };
  }

  test("tokens made afterwards work until they expire", async () => {
    const { access, clock } = await afterJump();
    const tokens = [await access.createToken("late", "letters", 300), await access.createOperatorToken("late")];
    for (const token of tokens) expect(await access.identify(token)).toMatchObject({ customerId: "late" });
    clock.now += 300 * SECOND;
    for (const token of tokens) expect(await access.identify(token)).toBeNull();
  });

  test("tokens made before are valid for two days at most, and end with no jump of an hour", async () => {
    let tokens: string[] = [];
    const { access, clock } = await afterJump(
      async (open) =>
        void (tokens = [await open.createToken("late", "letters", 86_400), await open.createOperatorToken("late")]),
    );
    const valid = async () =>
      (await Promise.all(tokens.map((token) => access.identify(token)))).filter((caller) => caller !== null).length;
    expect(await valid()).toBe(Math.abs(after - before) > 2 * DAY ? 0 : 2);
    clock.now = after + 2 * DAY;
    expect(await valid()).toBe(0);
  });

  test("keys, rates and credits go on", async () => {
    let apiKey = "";
    const { access } = await afterJump((open) => {
      ({ apiKey } = open.createApiKey("late", null));
      open.take("late", "token", 3);
      open.charge("late", 1000, "upload", { pendingId: "one" });
    });
    expect(await access.identify(apiKey)).toMatchObject({ customerId: "late" });
    if (Math.abs(after - before) > 60 * SECOND)
      expect(access.take("late", "token", 1)).toMatchObject({
        allowed: true,
        remaining: 2,
        resetSeconds: after / SECOND + 60,
      });
    expect(access.refund("late", 1000, "upload", "one")).toBe(true);
    access.charge("late", 5000, "upload");
    expect(access.balance("late")).toBe(0);
  });

  test("links work at once, and none for longer than a week", async () => {
    const { access } = await afterJump();
    const file = { fileId: "0199", created: before };
    const { searchParams } = new URL(downloadLink(access, file, after), "http://lectern");
    const [expires, signature] = [searchParams.get("expires")!, searchParams.get("signature")!];
    expect(isValidLink(access, file.fileId, expires, signature, after)).toBe(true);
    expect(isValidLink(access, file.fileId, expires, signature, after + LINK_LIFETIME * SECOND)).toBe(false);
  });
});

describe("a customer made before there were incarnations", () => {
  /** As an earlier Lectern would have left it. */
  function olden(): { access: Access; clock: { now: number } } {
    const { access, dataDirectory, clock } = sampleAccess();
    using database = new Database(accessDatabasePath(dataDirectory));
    database.run("UPDATE customers SET incarnation = NULL");
    return { access, clock };
  }

  test("has tokens, whatever the clock says", async () => {
    const { access, clock } = olden();
    clock.now = NOON - 400 * DAY;
    for (const token of [await access.createToken("acme", "letters", 60), await access.createOperatorToken("acme")])
      expect(await access.identify(token)).not.toBeNull();
  });

  test("leaves none of them to the next of its name", async () => {
    const { access } = olden();
    const tokens = [await access.createToken("acme", "letters", 60), await access.createOperatorToken("acme")];
    access.removeCustomer("acme");
    access.forgetCustomer("acme");
    access.createCustomer("acme", null);
    for (const token of tokens) expect(await access.identify(token)).toBeNull();
  });
});
