/** Rate windows: one wall-clock minute, all or nothing, kept through a restart. */
import { afterEach, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanUp, NOON, sampleAccess } from "./samples.ts";

afterEach(cleanUp);

test("counts down to nothing within a minute and starts anew with the next", () => {
  const { access } = sampleAccess();
  expect(access.take("acme", "token", 1, NOON + 15_500)).toEqual({
    allowed: true,
    limit: 3,
    remaining: 2,
    resetSeconds: NOON / 1000 + 60,
    retryAfter: 45,
  });
  access.take("acme", "token", 2, NOON + 20_000);
  expect(access.take("acme", "token", 1, NOON + 59_999)).toEqual({
    allowed: false,
    limit: 3,
    remaining: 0,
    resetSeconds: NOON / 1000 + 60,
    retryAfter: 1,
  });
  expect(access.take("acme", "token", 1, NOON + 60_000)).toMatchObject({
    allowed: true,
    remaining: 2,
    resetSeconds: NOON / 1000 + 120,
  });
});

test("takes all of a share or none of it", () => {
  const { access } = sampleAccess();
  expect(access.take("acme", "upload", 6)).toMatchObject({ allowed: false, remaining: 5 });
  expect(access.take("acme", "upload", 3)).toMatchObject({ allowed: true, remaining: 2 });
  expect(access.take("acme", "upload", 3)).toMatchObject({ allowed: false, remaining: 2 });
  expect(access.take("acme", "upload", 2)).toMatchObject({ allowed: true, remaining: 0 });
});

test("keeps customers and buckets apart", () => {
  const { access } = sampleAccess();
  access.take("acme", "token", 3);
  expect(access.take("acme", "upload", 1).allowed).toBe(true);
  expect(access.take("other", "token", 1).allowed).toBe(true);
});

test("a customer may have limits of its own, also where they are lower than what it has used", () => {
  const { access } = sampleAccess();
  access.createCustomer("other", null);
  access.take("acme", "token", 3);
  access.setRates("acme", { token: 5, free: 1 });
  expect(access.take("acme", "token", 2)).toMatchObject({ allowed: true, limit: 5, remaining: 0 });
  expect(access.take("acme", "free", 2)).toMatchObject({ allowed: false, limit: 1, remaining: 1 });
  expect(access.take("other", "token", 5)).toMatchObject({ allowed: false, limit: 3 });
  expect(access.customer("acme")!.rates).toEqual({ upload: null, retrieval: null, token: 5, free: 1 });
  access.setRates("acme", { token: 2 });
  expect(access.take("acme", "token", 1)).toMatchObject({ allowed: false, limit: 2, remaining: 0 });
  access.setRates("acme", { token: null });
  expect(access.take("acme", "token", 1)).toMatchObject({ allowed: false, limit: 3, remaining: 0 });
  expect(() => access.setRates("nobody", { free: 1 })).toThrow('There is no customer "nobody"');
});

test("is not forgotten by a restart", () => {
  const { access, dataDirectory } = sampleAccess();
  access.take("acme", "token", 3);
  access.close();
  expect(sampleAccess({ dataDirectory }).access.take("acme", "token", 1).allowed).toBe(false);
});

test("a clock a moment behind another process's does not open the window again", () => {
  const { access } = sampleAccess();
  access.take("acme", "token", 3, NOON);
  expect(access.take("acme", "token", 1, NOON - 1)).toMatchObject({ allowed: false, resetSeconds: NOON / 1000 + 60 });
});

test("a clock set back by hours does not shut a customer out for as long", () => {
  const { access } = sampleAccess();
  access.take("acme", "token", 3, NOON);
  expect(access.take("acme", "token", 1, NOON - 3_600_000)).toMatchObject({ allowed: true, remaining: 2 });
});

test("never allows more than the limit in any minute, nor refuses what fits", () => {
  const { access } = sampleAccess();
  let run = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ count: fc.integer({ min: 0, max: 12 }), step: fc.integer({ min: 0, max: 40_000 }) }), {
        maxLength: 30,
      }),
      (requests) => {
        const customer = `customer ${run++}`;
        const used = new Map<number, number>();
        let now = NOON;
        for (const { count, step } of requests) {
          now += step;
          const minute = Math.floor(now / 60_000);
          const before = used.get(minute) ?? 0;
          const fits = before + count <= 10;
          if (fits) used.set(minute, before + count);
          expect(access.take(customer, "retrieval", count, now)).toMatchObject({
            allowed: fits,
            remaining: 10 - (used.get(minute) ?? 0),
            resetSeconds: (minute + 1) * 60,
          });
        }
      },
    ),
  );
});
