/** How long somebody has to wait who guesses. */
import { expect, test } from "bun:test";
import { SignInPace } from "../../../src/http/console/sign-in-pace.ts";
import type { LecternError } from "../../../src/foundation/errors.ts";

/** Seconds that an address has to wait; 0: it may try. */
function wait(pace: SignInPace, address: string): number {
  try {
    pace.check(address);
    return 0;
  } catch (error) {
    return (error as LecternError).retryAfter!;
  }
}

function failing(pace: SignInPace, address: string, times: number): void {
  for (let attempt = 0; attempt < times; attempt++) pace.noteAttempt(address);
}

test("each failure beyond the fifth doubles the pause of its address, up to a minute", () => {
  const pace = new SignInPace(() => 1_000_000);
  const pauses = Array.from({ length: 13 }, () => {
    pace.noteAttempt("a");
    return wait(pace, "a");
  });
  expect(pauses).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(wait(pace, "b")).toBe(0);
});

test("the pause passes, a success forgives, and a quarter of an hour forgets", () => {
  let now = 1_000_000;
  const pace = new SignInPace(() => now);
  failing(pace, "a", 8);
  now += 8_000;
  expect(wait(pace, "a")).toBe(0);
  pace.noteAttempt("a");
  expect(wait(pace, "a")).toBe(16);
  pace.noteSuccess("a");
  expect(wait(pace, "a")).toBe(0);
  failing(pace, "a", 8);
  now += 16 * 60_000;
  pace.noteAttempt("a");
  expect(wait(pace, "a")).toBe(0);
});

test("guesses from a thousand addresses slow everybody down, by ten seconds at most", () => {
  const pace = new SignInPace(() => 1_000_000);
  for (let number = 0; number < 49; number++) pace.noteAttempt(`address ${number}`);
  expect(wait(pace, "somebody")).toBe(0);
  for (let number = 49; number < 20_000; number++) pace.noteAttempt(`address ${number}`);
  expect(wait(pace, "somebody")).toBe(10);
});
