/** Native libraries and project files from source. */

import { dlopen, CString } from "bun:ffi";
import { expect, test } from "bun:test";
import { loadAddon, loadUsearch, ownCommand, readAssetText, setNativeEnvironment } from "../../src/native/index.ts";

test("usearch's raw addon takes Int8Array and answers with keys, ascending distances and a count", () => {
  const { CompiledIndex } = loadUsearch();
  const index = new CompiledIndex(4, "ip", "i8", 16, 64, 64, false);
  index.add(BigUint64Array.of(1n, 2n), Int8Array.of(1, 2, 3, 4, 127, 0, 0, 0), 1);
  const [keys, distances, counts] = index.search(Int8Array.of(100, 0, 0, 0), 2, 1);
  expect([...keys]).toEqual([2n, 1n]);
  expect(distances[0]).toBeLessThan(distances[1] as number);
  expect([...counts]).toEqual([2n]);
  expect(index.contains(BigUint64Array.of(1n, 9n))).toEqual([true, false]);
});

test("usearch's exact search takes its arguments in the order that the type gives", () => {
  const [keys, distances] = loadUsearch().exactSearch(
    Float32Array.of(1, 0, 0, 1),
    Float32Array.of(0, 1),
    2,
    1,
    "cos",
    1,
  );
  expect(keys[0]).toBe(1n);
  expect(distances[0]).toBeCloseTo(0, 5);
});

test("every addon of the table opens", () => {
  for (const name of ["onnxruntime", "tokenizers", "usearch"] as const) expect(loadAddon(name)).toBeObject();
});

test("the native environment tells libraries to report nothing", async () => {
  await setNativeEnvironment();
  const libc = dlopen("libc.so.6", { getenv: { args: ["cstring"], returns: "ptr" } });
  const value = libc.symbols.getenv(Buffer.from("ORT_DISABLE_TELEMETRY\0"));
  expect(value && String(new CString(value))).toBe("1");
  libc.close();
});

test("project files are read by name, and a missing one is an error with its name", () => {
  expect(readAssetText("LICENSE")).toContain("Apache License");
  expect(() => readAssetText("no-such-file")).toThrow(/no-such-file/);
});

test("from source the program starts itself through Bun", () => {
  expect(ownCommand("--role=extract").slice(1)).toEqual([expect.stringMatching(/\/src\/main\.ts$/), "--role=extract"]);
});
