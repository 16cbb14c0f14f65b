/**
 * The native libraries that Lectern carries, one line each: where their files lie below `node_modules` and which of
 * them is the addon to open. The build embeds these folders' matching files; addons.ts opens them.
 */

interface NativeGroup {
  /** Folder below node_modules, for an architecture in Node's terms ("x64", "arm64"). */
  folder(arch: string): string;
  /** File name of the addon in that folder. */
  addon(arch: string): string;
  /** Whether a file of the folder belongs to the group. */
  includes(file: string, arch: string): boolean;
  /** Unpacked by its first user and not with the others: most servers never need it. */
  readonly onDemand?: boolean;
}

export const nativeGroups = {
  onnxruntime: {
    folder: (arch) => `onnxruntime-node/bin/napi-v6/linux/${arch}`,
    addon: () => "onnxruntime_binding.node",
    includes: (file) => file === "onnxruntime_binding.node" || file.startsWith("libonnxruntime.so"),
  },
  tokenizers: {
    folder: () => "tokenizers",
    addon: (arch) => `tokenizers.linux-${arch}-gnu.node`,
    includes: (file, arch) => file === `tokenizers.linux-${arch}-gnu.node`,
  },
  usearch: {
    folder: (arch) => `usearch/prebuilds/linux-${arch}`,
    addon: () => "usearch.node",
    includes: (file) => file === "usearch.node",
  },
  llama: {
    folder: (arch) => `@node-llama-cpp/linux-${arch}/bins/linux-${arch}`,
    addon: () => "llama-addon.node",
    includes: () => true,
    onDemand: true,
  },
} as const satisfies Record<string, NativeGroup>;

export type NativeGroupName = keyof typeof nativeGroups;

/** Models that are unpacked by their first user: speech is recognised in recordings alone. */
const modelsOnDemand: ReadonlySet<string> = new Set(["speech"]);

/** Whether a group of embedded files waits for its first user. */
export const isOnDemand = (name: string): boolean =>
  modelsOnDemand.has(name) || (nativeGroups as Readonly<Record<string, NativeGroup>>)[name]?.onDemand === true;
