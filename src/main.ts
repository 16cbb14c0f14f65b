/**
 * Where the program starts. `--role=…` makes this process the child of another Lectern; anything else is the command
 * line. Each way is imported only when it is taken, so that none waits for the other's code.
 */

process.exitCode = await start(process.argv.slice(2));

async function start(argv: string[]): Promise<number> {
  const [first = "", ...rest] = argv;
  if (first.startsWith("--role=")) return runRole(first.slice("--role=".length), rest);
  const { main } = await import("./cli/index.ts");
  return main(argv);
}

/** Starts a child role and resolves to its exit code. */
async function runRole(role: string, options: readonly string[]): Promise<number> {
  // Ctrl-C in a terminal reaches every process of a command. Whether a child ends is its parent's to decide, and it never outlives it.
  if (role !== "unpack") process.on("SIGINT", () => {});
  if (role === "extract") await extract(options);
  else if (role === "answer") await answer();
  else if (role === "unpack") (await import("./native/index.ts")).unpackEverything();
  else throw new Error(`There is no role "${role}".`);
  return 0;
}

/** `--role=extract [--model-directory=DIR]`: reads untrusted files, and counts tokens as the embedder does. Searches come first. When memory runs out it goes first: a file is lost, not the server. */
async function extract(options: readonly string[]): Promise<void> {
  const { beExpendable, giveWay } = await import("./native/index.ts");
  beExpendable("first");
  const flag = "--model-directory=";
  const modelDirectory = options.find((option) => option.startsWith(flag))?.slice(flag.length) ?? null;
  const [{ runExtractorRole }, { openTokenCounter }] = await Promise.all([
    import("./documents/extractor-role.ts"),
    import("./embedding/index.ts"),
  ]);
  const counter = await openTokenCounter({ modelDirectory });
  // Only now: files wait for its start.
  await giveWay();
  await runExtractorRole(counter);
}

/** `--role=answer`: holds the language model, and gives way to searches on busy cores and under memory pressure. */
async function answer(): Promise<void> {
  const { beExpendable, endWithParent, giveWay, importOwnModule } = await import("./native/index.ts");
  endWithParent();
  beExpendable("early");
  await giveWay();
  // Its library is a large one, and no other process needs it.
  const { runAnswerRole } = (await importOwnModule(
    "src/answers/llama/role.ts",
  )) as typeof import("./answers/llama/role.ts");
  await runAnswerRole();
}

// Makes this file a module, which top-level await needs.
export {};
