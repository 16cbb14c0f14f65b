/** Credits: taken at once or not at all, given back at most once, and the books always agree. */
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { LecternError } from "../../src/foundation/errors.ts";
import { cleanUp, NOON, sampleAccess } from "./samples.ts";

afterEach(cleanUp);

function refusalOf(work: () => void): LecternError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof LecternError) return error;
    throw error;
  }
}

describe("a charge", () => {
  test("comes off the balance and counts as usage of its day", () => {
    const { access, clock } = sampleAccess();
    access.createCustomer("abc", 1000);
    access.charge("abc", 100, "search");
    access.charge("abc", 100, "search");
    clock.now += 86_400_000;
    access.charge("abc", 100, "query");
    expect(access.balance("abc")).toBe(700);
    expect(access.usage("abc")).toEqual([
      { customerId: "abc", day: "2026-03-01", operation: "search", count: 2, thousandths: 200 },
      { customerId: "abc", day: "2026-03-02", operation: "query", count: 1, thousandths: 100 },
    ]);
  });

  test("beyond the balance is refused, says what is there, and changes nothing", () => {
    const { access } = sampleAccess();
    access.createCustomer("abc", 1500);
    const refusal = refusalOf(() => access.charge("abc", 2000, "upload", { pendingId: "p" }));
    expect(refusal?.toBody()).toMatchObject({
      error: "INSUFFICIENT_CREDITS",
      details: { required: 2, available: 1.5 },
    });
    expect(access.balance("abc")).toBe(1500);
    expect(access.usage("abc")).toEqual([]);
    expect(access.pendingCharges()).toEqual([]);
  });

  test("of exactly the balance is taken", () => {
    const { access } = sampleAccess();
    access.createCustomer("abc", 100);
    access.charge("abc", 100, "search");
    expect(refusalOf(() => access.charge("abc", 1, "search"))?.code).toBe("INSUFFICIENT_CREDITS");
  });

  test("never empties an unlimited balance, and credits leave it unlimited", () => {
    const { access } = sampleAccess();
    access.charge("acme", 1e12, "search");
    expect(access.balance("acme")).toBeNull();
    expect(access.addCredits("acme", 5)).toBeNull();
  });

  test("beyond what can be counted exactly is refused, and changes nothing", () => {
    const { access } = sampleAccess();
    access.createCustomer("rich", Number.MAX_SAFE_INTEGER - 5);
    expect(() => access.addCredits("rich", 6)).toThrow("more than");
    expect(access.balance("rich")).toBe(Number.MAX_SAFE_INTEGER - 5);
    expect(access.addCredits("rich", 5)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test("of a customer that nobody knows is refused as a credential", () => {
    expect(refusalOf(() => sampleAccess().access.charge("nobody", 1, "search"))?.code).toBe("INVALID_CREDENTIAL");
  });
});

describe("a pending charge", () => {
  test("outlives the process until it is settled or refunded", () => {
    const { access, dataDirectory } = sampleAccess();
    access.createCustomer("abc", 3000);
    access.charge("abc", 1000, "upload", { pendingId: "kept" });
    access.charge("abc", 1000, "upload", { pendingId: "lost" });
    access.close();

    const { access: again } = sampleAccess({ dataDirectory });
    expect(
      again
        .pendingCharges()
        .map(({ pendingId }) => pendingId)
        .sort(),
    ).toEqual(["kept", "lost"]);
    expect(again.pendingCharges()[0]).toMatchObject({
      customerId: "abc",
      thousandths: 1000,
      operation: "upload",
      created: NOON,
    });
    again.settle("kept");
    expect(again.refund("abc", 1000, "upload", "lost")).toBe(true);
    expect(again.pendingCharges()).toEqual([]);
    expect(again.balance("abc")).toBe(2000);
  });

  test("is given back once, and not after it was settled", () => {
    const { access } = sampleAccess();
    access.createCustomer("abc", 2000);
    access.charge("abc", 1000, "upload", { pendingId: "a" });
    access.charge("abc", 1000, "upload", { pendingId: "b" });
    expect(access.refund("abc", 1000, "upload", "a")).toBe(true);
    expect(access.refund("abc", 1000, "upload", "a")).toBe(false);
    access.settle("b");
    expect(access.refund("abc", 1000, "upload", "b")).toBe(false);
    expect(access.balance("abc")).toBe(1000);
  });

  test("goes back to the day it was taken on", () => {
    const { access, clock } = sampleAccess();
    access.charge("acme", 1000, "upload", { pendingId: "a" });
    clock.now += 86_400_000;
    access.refund("acme", 1000, "upload", "a");
    expect(access.usage("acme")).toEqual([
      { customerId: "acme", day: "2026-03-01", operation: "upload", count: 0, thousandths: 0 },
    ]);
  });
});

test("after any sequence, balance and usage add up to what was put in", () => {
  const { access } = sampleAccess();
  const pendingId = fc.constantFrom("a", "b", "c");
  const amount = fc.integer({ min: 0, max: 500 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant("charge" as const), amount }),
    fc.record({ kind: fc.constant("pend" as const), amount, pendingId }),
    fc.record({ kind: fc.constant("settle" as const), pendingId }),
    fc.record({ kind: fc.constant("refund" as const), pendingId }),
    fc.record({ kind: fc.constant("add" as const), amount }),
  );
  let run = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), fc.array(step, { maxLength: 30 }), (start, steps) => {
      const id = `customer ${run++}`;
      access.createCustomer(id, start);
      const pending = new Map<string, number>();
      let [put, used] = [start, 0];
      for (const each of steps) {
        if (each.kind === "charge" || each.kind === "pend") {
          if (each.kind === "pend" && pending.has(each.pendingId)) continue;
          const options = each.kind === "pend" ? { pendingId: `${id} ${each.pendingId}` } : {};
          const refused = refusalOf(() => access.charge(id, each.amount, "work", options));
          expect(refused === null).toBe(each.amount <= put - used);
          if (refused) continue;
          used += each.amount;
          if (each.kind === "pend") pending.set(each.pendingId, each.amount);
        } else if (each.kind === "settle") {
          access.settle(`${id} ${each.pendingId}`);
          pending.delete(each.pendingId);
        } else if (each.kind === "refund") {
          expect(access.refund(id, 999_999, "other", `${id} ${each.pendingId}`)).toBe(pending.has(each.pendingId));
          used -= pending.get(each.pendingId) ?? 0;
          pending.delete(each.pendingId);
        } else {
          access.addCredits(id, each.amount);
          put += each.amount;
        }
        expect(access.balance(id)).toBe(put - used);
      }
      expect(access.usage(id).reduce((sum, { thousandths }) => sum + thousandths, 0)).toBe(used);
    }),
    { numRuns: 30 },
  );
});

test("of 1000 charges from three processes at once on a balance for 500, exactly 500 pass", async () => {
  const { access, dataDirectory } = sampleAccess();
  access.createCustomer("abc", 50_000);
  const others = [1, 2].map(() =>
    Bun.spawn([process.execPath, join(import.meta.dir, "processes/charge.ts"), dataDirectory, "abc", "350"], {
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  let here = 0;
  for (let i = 0; i < 300; i++) {
    if (!refusalOf(() => access.charge("abc", 100, "search"))) here++;
    await Bun.sleep(1);
  }
  const elsewhere = await Promise.all(others.map(async ({ stdout }) => Number(await new Response(stdout).text())));
  expect(here + elsewhere[0]! + elsewhere[1]!).toBe(500);
  expect(access.balance("abc")).toBe(0);
  expect(access.usage("abc").reduce((sum, { thousandths }) => sum + thousandths, 0)).toBe(50_000);
});

test("a key revoked by another process ends at once, and one made there works at once", async () => {
  const { access, dataDirectory } = sampleAccess();
  const { apiKey, keyId } = access.createApiKey("acme", null);
  expect(await access.identify(apiKey)).not.toBeNull();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "processes/replace-key.ts"), dataDirectory, keyId], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const replacement = (await new Response(child.stdout).text()).trim();
  expect(await access.identify(apiKey)).toBeNull();
  expect(await access.identify(replacement)).toMatchObject({ customerId: "acme" });
});

test("processes that open a new data directory at once agree on the secret", async () => {
  const { dataDirectory } = sampleAccess();
  const fresh = join(dataDirectory, "fresh");
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, join(import.meta.dir, "processes/sign.ts"), fresh], {
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const signatures = await Promise.all(children.map(({ stdout }) => new Response(stdout).text()));
  expect(new Set(signatures).size).toBe(1);
  expect(signatures[0]).toHaveLength(43);
});
