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

/** Child roles. `extract [--model-directory=DIR]` reads untrusted files; it counts tokens as the embedder does. */
async function runRole(role: string, options: readonly string[]): Promise<number> {
  if (role !== "extract") throw new Error(`There is no role "${role}".`);
  const flag = "--model-directory=";
  const modelDirectory = options.find((option) => option.startsWith(flag))?.slice(flag.length) ?? null;
  const [{ runExtractorRole }, { openTokenCounter }] = await Promise.all([
    import("./documents/extractor-role.ts"),
    import("./embedding/index.ts"),
  ]);
  await runExtractorRole(await openTokenCounter({ modelDirectory }));
  return 0;
}

// Makes this file a module, which top-level await needs.
export {};
