/** Log lines: level, format, one line each, no secrets. */
import { expect, test } from "bun:test";
import { createLog, type LogLevel } from "../../src/foundation/log.ts";

function recorded(level: LogLevel, format: "text" | "json") {
  const lines: string[] = [];
  return { lines, log: createLog({ level, format, write: (line) => void lines.push(line) }) };
}

test("lines below the level are not written; silent writes none", () => {
  const { lines, log } = recorded("warn", "text");
  log.info("quiet");
  log.warn("loud");
  expect(lines).toHaveLength(1);
  const silent = recorded("silent", "text");
  silent.log.error("nothing");
  expect(silent.lines).toEqual([]);
});

test("JSON lines carry time, level, message and fields, those of `with` included", () => {
  const { lines, log } = recorded("info", "json");
  log.with({ requestId: "r1" }).info("served", { status: 200, took: 12n });
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: "info",
    message: "served",
    requestId: "r1",
    status: 200,
    took: "12",
  });
});

test("an entry is one line whatever it holds", () => {
  const { lines, log } = recorded("info", "text");
  log.info("a\nb\u2028c\u001b[31m", { name: "x\ny" });
  expect(lines[0]!.trimEnd().split(/[\n\r\u2028]/)).toHaveLength(1);
  expect(lines[0]).not.toContain("\u001b");
});

test("errors are spelled out with their cause", () => {
  const { lines, log } = recorded("info", "json");
  log.error("failed", { cause: new Error("outer", { cause: new TypeError("inner") }) });
  expect(JSON.parse(lines[0]!).cause).toMatchObject({
    error: "Error",
    message: "outer",
    cause: { error: "TypeError", message: "inner" },
  });
});

test("keys, tokens and fields named like secrets never appear", () => {
  const key = `lk_${"a".repeat(43)}`;
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl";
  for (const format of ["text", "json"] as const) {
    const { lines, log } = recorded("debug", format);
    log.info(`got ${key}`, { authorization: "Bearer x1y2z3", nested: { deep: [`t ${token}`] }, cause: new Error(key) });
    expect(lines.join("")).toContain("got");
    for (const secret of [key, token, "x1y2z3"]) expect(lines.join("")).not.toContain(secret);
  }
});
