/** How much memory there is: the machine's, or what control groups leave of it. */
import { expect, test } from "bun:test";
import { freemem, totalmem } from "node:os";
import { availableBytes, machineBytes } from "../../src/foundation/machine-memory.ts";

const MEGABYTE = 2 ** 20;
const megabytes = (count: number) => `${count * MEGABYTE}\n`;
const UNLIMITED_1 = "9223372036854771712\n";

const version2 = { "/proc/self/cgroup": "0::/system.slice/lectern.service\n" };
const version1 = { "/proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/docker/ab\n0::/\n" };
const meminfo = { "/proc/meminfo": `MemTotal: 64000000 kB\nMemAvailable: ${4000 * 1024} kB\n` };

test.each([
  { rule: "no groups", files: {}, machine: null },
  {
    rule: "groups without a limit",
    files: { ...version2, "/sys/fs/cgroup/system.slice/lectern.service/memory.max": "max\n" },
    machine: null,
  },
  {
    rule: "version 2: the own group's",
    files: { ...version2, "/sys/fs/cgroup/system.slice/lectern.service/memory.max": megabytes(100) },
    machine: 100,
  },
  {
    rule: "version 2: one around it",
    files: {
      ...version2,
      "/sys/fs/cgroup/system.slice/lectern.service/memory.max": megabytes(100),
      "/sys/fs/cgroup/system.slice/memory.max": megabytes(60),
    },
    machine: 60,
  },
  {
    rule: "version 2: a container that sees its own group as the root",
    files: { "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": megabytes(100) },
    machine: 100,
  },
  {
    rule: "version 1: the own group's",
    files: {
      ...version1,
      "/sys/fs/cgroup/memory/docker/ab/memory.limit_in_bytes": megabytes(100),
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": UNLIMITED_1,
    },
    machine: 100,
  },
  {
    rule: "version 1: a container that sees a path from outside",
    files: { ...version1, "/sys/fs/cgroup/memory/memory.limit_in_bytes": megabytes(100) },
    machine: 100,
  },
  {
    rule: "version 1: no limit",
    files: { ...version1, "/sys/fs/cgroup/memory/memory.limit_in_bytes": UNLIMITED_1 },
    machine: null,
  },
] as { rule: string; files: Record<string, string>; machine: number | null }[])(
  "the machine's memory: $rule",
  ({ files, machine }) => {
    expect(machineBytes((path) => files[path] ?? null)).toBe(machine === null ? totalmem() : machine * MEGABYTE);
  },
);

test.each([
  { rule: "no groups: what the machine has", files: meminfo, available: 4000 },
  {
    rule: "what is left of the group's limit",
    files: {
      ...meminfo,
      ...version2,
      "/sys/fs/cgroup/system.slice/memory.max": megabytes(100),
      "/sys/fs/cgroup/system.slice/memory.current": megabytes(70),
    },
    available: 30,
  },
  {
    rule: "files' bytes that the kernel can drop are not lost",
    files: {
      ...meminfo,
      ...version1,
      "/sys/fs/cgroup/memory/docker/ab/memory.limit_in_bytes": megabytes(100),
      "/sys/fs/cgroup/memory/docker/ab/memory.usage_in_bytes": megabytes(90),
      "/sys/fs/cgroup/memory/docker/ab/memory.stat": `cache 1\ntotal_inactive_file ${50 * MEGABYTE}\n`,
    },
    available: 60,
  },
  {
    rule: "a group that has more than the machine has left",
    files: {
      ...meminfo,
      ...version2,
      "/sys/fs/cgroup/memory.max": megabytes(9000),
      "/sys/fs/cgroup/memory.current": megabytes(1),
    },
    available: 4000,
  },
] as { rule: string; files: Record<string, string>; available: number }[])(
  "what is available: $rule",
  ({ files, available }) => {
    expect(availableBytes((path) => files[path] ?? null)).toBe(available * MEGABYTE);
  },
);

test("this machine tells both", () => {
  expect(machineBytes()).toBeGreaterThan(100 * MEGABYTE);
  expect(machineBytes()).toBeLessThanOrEqual(totalmem());
  expect(availableBytes()).toBeLessThanOrEqual(Math.max(machineBytes(), freemem()));
});
