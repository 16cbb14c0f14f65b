/** What a child that works on foreign bytes may know of this process's environment: where libraries lie, and nothing that is secret. */

const NAMES = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LANG",
  "LC_ALL",
  "LD_LIBRARY_PATH",
  "XDG_CACHE_HOME",
  "LECTERN_CACHE_DIR",
  // Where a Tesseract of the machine's own has its data.
  "TESSDATA_PREFIX",
];

export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** The same for the language model's process. */
export function answerEnvironment(): Record<string, string> {
  // Without this a fault in llama.cpp would start a debugger on this machine, if it has one.
  return { ...childEnvironment(), GGML_NO_BACKTRACE: "1" };
}
