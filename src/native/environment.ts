/** Variables that native libraries read with `getenv`, which does not see assignments to `process.env`. */

const variables: Readonly<Record<string, string>> = {
  // No library may report anything to anyone; versions of ONNX Runtime that could are told not to.
  ORT_DISABLE_TELEMETRY: "1",
  // One text is tokenised on one thread: the cores belong to searches.
  TOKENIZERS_PARALLELISM: "false",
};

let done = false;

/** Sets the native environment of this process, once; call it on the main thread before an addon is loaded. */
export async function setNativeEnvironment(): Promise<void> {
  if (done) return;
  done = true;
  Object.assign(process.env, variables);
  if (process.platform !== "linux") return;
  const { dlopen, ptr } = await import("bun:ffi");
  const libc = dlopen("libc.so.6", { setenv: { args: ["ptr", "ptr", "i32"], returns: "i32" } });
  for (const [name, value] of Object.entries(variables)) {
    const [nameBytes, valueBytes] = [Buffer.from(`${name}\0`), Buffer.from(`${value}\0`)];
    if (libc.symbols.setenv(ptr(nameBytes), ptr(valueBytes), 1) !== 0) throw new Error(`setenv ${name} failed`);
  }
  libc.close();
}
