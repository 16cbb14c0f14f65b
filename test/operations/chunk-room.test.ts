/** Chunks in memory: bounded for one upload, and for all that run together. */
import { expect, test } from "bun:test";
import { openChunkRoom } from "../../src/operations/chunk-room.ts";

test("the files of one upload make at most so many chunks together; the one beyond is named", () => {
  const share = openChunkRoom(100).share("acme");
  share.take(60, "a.txt");
  share.take(40, "b.txt");
  expect(() => share.take(1, "c.txt")).toThrow(
    expect.objectContaining({ code: "UNREADABLE_FILE", status: 400, details: { file: "c.txt" } }),
  );
});

test("uploads that run together hold at most twice as many; what one releases another may take", () => {
  const room = openChunkRoom(100);
  const [first, second, third] = [room.share("first"), room.share("second"), room.share("third")];
  first.take(100, "a.txt");
  second.take(90, "b.txt");
  expect(() => third.take(11, "c.txt")).toThrow(expect.objectContaining({ code: "BUSY", status: 503 }));
  third.take(10, "c.txt");
  first.release();
  third.take(90, "d.txt");
});

test("releasing twice gives nothing back twice", () => {
  const room = openChunkRoom(100);
  const [first, second, third] = [room.share("first"), room.share("second"), room.share("third")];
  first.take(100, "a.txt");
  second.take(100, "b.txt");
  first.release();
  first.release();
  third.take(100, "c.txt");
  expect(() => first.take(1, "d.txt")).toThrow(expect.objectContaining({ code: "BUSY" }));
});

test("one customer's uploads hold at most three quarters; the rest is there for others", () => {
  const room = openChunkRoom(100);
  const [large, more, other] = [room.share("greedy"), room.share("greedy"), room.share("other")];
  large.take(100, "a.txt");
  more.take(50, "b.txt");
  expect(() => more.take(1, "c.txt")).toThrow(expect.objectContaining({ code: "BUSY" }));
  other.take(50, "d.txt");
  expect(() => other.take(1, "e.txt")).toThrow(expect.objectContaining({ code: "BUSY" }));
  large.release();
  more.take(25, "c.txt");
});
