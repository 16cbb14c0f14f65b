/**
 * Run by no-connections.test.ts inside a network namespace of its own: raises loopback, puts the executable through a
 * working day, and prints what the namespace's counters then say as one line of JSON.
 */
import { dlopen } from "bun:ffi";
import { readFileSync } from "node:fs";
import { command, placeAlone, start } from "./executable.ts";
import { spendWorkingDay } from "./working-day.ts";

/** As `ip link set lo up`, which not every machine has: ioctl(SIOCSIFFLAGS) with IFF_UP. */
function raiseLoopback(): void {
  const [AF_INET, SOCK_DGRAM, SIOCSIFFLAGS, IFF_UP] = [2, 2, 0x8914, 1];
  const libc = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
  });
  const request = Buffer.alloc(40);
  request.write("lo", 0);
  request.writeInt16LE(IFF_UP, 16);
  const descriptor = libc.symbols.socket(AF_INET, SOCK_DGRAM, 0);
  if (libc.symbols.ioctl(descriptor, SIOCSIFFLAGS, request) !== 0) throw new Error("loopback cannot be raised");
}

/** A counter of /proc/net/snmp, where a line of names is followed by a line of values. */
function counter(protocol: string, name: string): number {
  const [names, values] = readFileSync("/proc/net/snmp", "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`${protocol}:`))
    .map((line) => line.split(" "));
  return Number(values![names!.indexOf(name)]);
}

/** A counter of /proc/net/snmp6, one a line; 0 where the kernel has no IPv6. */
function counter6(name: string): number {
  try {
    return Number(new RegExp(`^${name}\\s+(\\d+)$`, "m").exec(readFileSync("/proc/net/snmp6", "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

raiseLoopback();
const alone = placeAlone();
try {
  const server = await start(alone);
  const { uploaded } = await spendWorkingDay(server.url, server.apiKey!, alone.samples);
  for (const words of [
    ["ingest", alone.samples, "--dataset", "samples"],
    ["search", "chain", "--dataset", "samples"],
    ["doctor"],
    ["model", "verify"],
  ]) {
    const { code, stderr } = command(alone, words);
    if (code !== 0) throw new Error(`lectern ${words[0]}: ${stderr}`);
  }
  await server.stop();
  const counted = {
    noRoute: counter("Ip", "OutNoRoutes"),
    noRoute6: counter6("Ip6OutNoRoutes"),
    datagrams: counter("Udp", "OutDatagrams"),
    datagrams6: counter6("Udp6OutDatagrams"),
  };
  // An attempt of this script's own shows that the counters would have told.
  await fetch("http://192.0.2.1/").catch(() => {});
  console.log(JSON.stringify({ uploaded, ...counted, wouldHaveTold: counter("Ip", "OutNoRoutes") > 0 }));
} finally {
  alone.remove();
}
