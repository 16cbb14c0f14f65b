/** Options: where each is read from, which place wins, and how mistakes are answered. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  fileKeyOf,
  loadConfig,
  modelDirectoryOf,
  options,
  unknownVariables,
  variableOf,
  type OptionName,
} from "../../src/options/config.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "lectern-config-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const withFile = (toml: string): void => writeFileSync(join(directory, "lectern.toml"), toml);
const load = (flags: Record<string, string> = {}, environment: Record<string, string> = {}) =>
  loadConfig({ flags: { "data-dir": directory, ...flags }, environment });

describe("where a value comes from", () => {
  test("nothing given: the default", () => {
    const config = load();
    expect(config.port).toBe(8080);
    expect(config.host).toBe("127.0.0.1");
    expect(config.searchResults).toBe(8);
    expect(config.maxFileBytes).toBe(100 * 1024 * 1024);
    expect(config.model).toBeNull();
  });

  test("lectern.toml in the data directory wins over the default", () => {
    withFile('port = 9001\nmax_file_bytes = "5MiB"\n');
    expect(load().port).toBe(9001);
    expect(load().maxFileBytes).toBe(5 * 1024 * 1024);
  });

  test("a variable wins over lectern.toml, a flag over both", () => {
    withFile("port = 9001");
    expect(load({}, { LECTERN_PORT: "9002" }).port).toBe(9002);
    expect(load({ port: "9003" }, { LECTERN_PORT: "9002" }).port).toBe(9003);
  });

  test("an empty variable counts as not given", () => {
    expect(load({}, { LECTERN_PORT: "" }).port).toBe(8080);
  });

  test("a secret may lie in a file named by its _FILE twin, without its line ending", () => {
    const path = join(directory, "key");
    writeFileSync(path, "lk_secret\n");
    expect(load({}, { LECTERN_KEY_FILE: path }).apiKey).toBe("lk_secret");
    expect(load({}, { LECTERN_KEY_FILE: path, LECTERN_KEY: "lk_direct" }).apiKey).toBe("lk_direct");
    expect(() => load({}, { LECTERN_KEY_FILE: join(directory, "none") })).toThrow(
      /LECTERN_KEY_FILE names .*none, which cannot be read/,
    );
  });

  test("the data directory becomes absolute and the whole is frozen", () => {
    const config = loadConfig({ flags: { "data-dir": "some/where" }, environment: {} });
    expect(config.dataDirectory).toBe(join(process.cwd(), "some/where"));
    expect(Object.isFrozen(config)).toBe(true);
  });

  test("a model's folder lies in the data directory; none named means the built-in one", () => {
    expect(modelDirectoryOf(load())).toBeNull();
    expect(modelDirectoryOf(load({ model: "default" }))).toBeNull();
    expect(modelDirectoryOf(load({ model: "e5-small" }))).toBe(join(directory, "models", "e5-small"));
  });
});

describe("units", () => {
  const cases: [flag: string, written: string, name: OptionName, value: number][] = [
    ["max-file-bytes", "1000", "maxFileBytes", 1000],
    ["max-file-bytes", "100MB", "maxFileBytes", 100_000_000],
    ["max-file-bytes", "1.5 GiB", "maxFileBytes", 1.5 * 1024 ** 3],
    ["extract-seconds", "2min", "extractSeconds", 120],
    ["extract-memory", "2GB", "extractMemoryMegabytes", 2048],
    ["exact-limit", "20k", "exactLimit", 20_000],
  ];
  for (const [flag, written, name, value] of cases) {
    test(`--${flag} ${written} is ${value}`, () => expect(load({ [flag]: written })[name]).toBe(value));
  }
});

describe("mistakes", () => {
  const cases: [
    what: string,
    flags: Record<string, string>,
    environment: Record<string, string>,
    toml: string,
    message: RegExp,
  ][] = [
    ["an unknown key", {}, {}, "prot = 1", /Unknown key "prot" in .*lectern\.toml\. Did you mean "port"\?/],
    [
      "an unknown flag",
      { "serch-results": "5" },
      {},
      "",
      /Unknown option --serch-results\. Did you mean "search-results"\?/,
    ],
    ["a number out of range", { port: "70000" }, {}, "", /--port must be a whole number in 0-65535, not "70000"/],
    ["a fraction", { "search-results": "7.5" }, {}, "", /--search-results must be a whole number in 5-10/],
    ["a wrong unit", { "extract-seconds": "5MB" }, {}, "", /--extract-seconds must be a whole number/],
    ["a wrong type in the file", {}, {}, "port = [1]", /"port" in .*lectern\.toml must be/],
    ["a table in the file", {}, {}, "[port]\nx = 1", /"port" in .*lectern\.toml must be/],
    ["a file that is not TOML", {}, {}, "port = = 1", /lectern\.toml is not valid TOML/],
    [
      "a word outside the choice",
      { "log-level": "loud" },
      {},
      "",
      /--log-level must be one of debug, info, warn, error, silent/,
    ],
    [
      "an address with a path",
      { "public-url": "https://a.example/x" },
      {},
      "",
      /--public-url must be an http\(s\) address without a path/,
    ],
    ["a model name that leaves its folder", { model: "../x" }, {}, "", /--model must be the name of a folder/],
    ["the data directory in its own file", {}, {}, 'data_dir = "x"', /Unknown key "data_dir"/],
  ];
  for (const [what, flags, environment, toml, message] of cases) {
    test(what, () => {
      withFile(toml);
      expect(() => load(flags, environment)).toThrow(message);
    });
  }

  test("a variable that only looks like ours is told apart, not refused", () => {
    const environment = {
      LECTERN_SERVICE_HOST: "10.0.0.1",
      LECTERN_RATE_UPLOAD: "7",
      LECTERN_KEY_FILE: "",
      HOME: "/root",
    };
    expect(unknownVariables(environment)).toEqual(["LECTERN_SERVICE_HOST"]);
    expect(load({}, environment).rateUpload).toBe(7);
  });

  test("a bad secret is never repeated in the message", () => {
    expect(() => load({ key: "lk_\0hidden" })).toThrow(/^--key must be an API key\.$/);
  });

  test("no text whatever makes anything but a value in range or a usage error", () => {
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(options) as OptionName[])), fc.string(), (name, written) => {
        if (name === "dataDirectory") return;
        try {
          const value = load({ [options[name].flag]: written })[name];
          expect(["string", "number"]).toContain(typeof value);
        } catch (error) {
          expect(error).toMatchObject({ code: "USAGE" });
        }
      }),
    );
  });
});

describe("names", () => {
  test("variable and key follow from the flag", () => {
    expect(variableOf("dataDirectory")).toBe("LECTERN_DATA_DIR");
    expect(variableOf("rateUpload")).toBe("LECTERN_RATE_UPLOAD");
    expect(fileKeyOf("rateUpload")).toBe("rate_upload");
    expect(fileKeyOf("apiKey")).toBeNull();
  });

  test("no two options share a flag, and every default passes its own check", () => {
    const flags = Object.values(options).map((option) => option.flag);
    expect(new Set(flags).size).toBe(flags.length);
    for (const option of Object.values(options)) {
      if (option.default !== null) expect(option.read(option.default)).toBe(option.default);
    }
  });
});
