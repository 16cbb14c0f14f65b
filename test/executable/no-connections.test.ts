/**
 * No outgoing connection, ever: the executable works through a whole day in a network namespace whose own counters tell
 * of every packet that had nowhere to go, and under strace, which sees every address it names.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWith, testWith, type Requirement } from "../requirements.ts";
import {
  builtExecutable,
  executable,
  networkNamespaces,
  placeAlone,
  runs,
  start,
  withoutNetwork,
  type Alone,
} from "./executable.ts";
import { strangeAddresses } from "./strace-addresses.ts";
import { spendWorkingDay } from "./working-day.ts";

const tracing: Requirement = {
  isMet: runs(["strace", "-f", "true"]),
  what: "strace, permitted",
};

describeWith(executable)("nothing leaves the machine", () => {
  let alone: Alone;
  beforeAll(() => {
    alone = placeAlone();
  });
  afterAll(() => alone?.remove());

  testWith(networkNamespaces)(
    "in a network namespace with nothing but loopback, no packet had nowhere to go, and none was a datagram",
    () => {
      const day = Bun.spawnSync(
        [...withoutNetwork!, process.execPath, join(import.meta.dir, "day-without-network.ts")],
        {
          env: { ...process.env, LECTERN_TEST_EXECUTABLE: builtExecutable! },
        },
      );
      expect(day.stderr.toString()).toBe("");
      expect(JSON.parse(day.stdout.toString())).toEqual({
        uploaded: 20,
        noRoute: 0,
        noRoute6: 0,
        datagrams: 0,
        datagrams6: 0,
        wouldHaveTold: true,
      });
    },
    120_000,
  );

  testWith(tracing)(
    "under strace, every address it connects or sends to is on loopback",
    async () => {
      const trace = join(alone.folder, "trace");
      const server = await start(alone, [
        "strace",
        "-f",
        "-qq",
        "-e",
        "trace=connect,sendto,sendmsg,sendmmsg",
        "-e",
        "signal=none",
        "-o",
        trace,
      ]);
      await spendWorkingDay(server.url, server.apiKey!, alone.samples);
      await server.stop();
      const lines = readFileSync(trace, "utf8").split("\n");
      expect(lines.length).toBeGreaterThan(10);
      expect(strangeAddresses(lines)).toEqual([]);
    },
    120_000,
  );
});

test("the reader of traces knows loopback from the rest", () => {
  const lines = [
    '1 connect(3, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT',
    '1 connect(3, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
    '1 connect(3, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "::1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
    '1 sendto(3, "x", 1, MSG_NOSIGNAL, NULL, 0) = 1',
    "1 connect(3, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 0",
  ];
  const strange = [
    '1 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("20.42.73.28")}, 16) = -1 EINPROGRESS',
    '1 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0',
    '1 sendto(3, "x", 1, 0, {sa_family=AF_INET6, sin6_port=htons(9), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 1',
  ];
  expect(strangeAddresses([...lines, ...strange])).toEqual(strange);
});
