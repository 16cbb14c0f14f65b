/** What a service manager hears of a server: that it is ready, that it lives, that it ends; by a socket with a path or without. */
import { afterEach, beforeEach, expect } from "bun:test";
import { dlopen, ptr } from "bun:ffi";
import { join } from "node:path";
import { openServiceManager } from "../../src/native/index.ts";
import { serve, temporaryFolder } from "../cli/lectern.ts";
import { linux, testWith } from "../requirements.ts";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MSG_DONTWAIT = 0x40;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** A socket as systemd has one, under a path or a name that begins with "@". */
function listen(name: string): { next(): Promise<string>; close(): void } {
  const libc = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    recv: { args: ["i32", "ptr", "u64", "i32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  }).symbols;
  const socket = libc.socket(AF_UNIX, SOCK_DGRAM, 0);
  const address = Buffer.concat([
    new Uint8Array(new Uint16Array([AF_UNIX]).buffer),
    Buffer.from(name.replace(/^@/, "\0")),
  ]);
  expect(libc.bind(socket, ptr(address), address.length)).toBe(0);
  const buffer = Buffer.alloc(4096);
  return {
    async next() {
      for (;;) {
        const length = Number(libc.recv(socket, ptr(buffer), buffer.length, MSG_DONTWAIT));
        if (length >= 0) return buffer.toString("utf8", 0, length);
        await Bun.sleep(5);
      }
    },
    close: () => void libc.close(socket),
  };
}

for (const kind of ["a path", "a name without a file"]) {
  testWith(linux)(`a server tells when it is ready, that it lives, and when it stops, at ${kind}`, async () => {
    const name = kind === "a path" ? join(folder.path, "notify") : `@lectern-test-${process.pid}`;
    const heard = listen(name);
    const server = await serve(folder.dataDirectory, [], { NOTIFY_SOCKET: name, WATCHDOG_USEC: "100000" });
    expect(await heard.next()).toBe(`READY=1\nSTATUS=Serving at ${server.url}`);
    for (let count = 0; count < 3; count++) expect(await heard.next()).toBe("WATCHDOG=1");
    const ended = server.stop();
    let last = "";
    do last = await heard.next();
    while (last === "WATCHDOG=1");
    expect(last).toStartWith("STOPPING=1\n");
    expect(await ended).toBe(0);
    heard.close();
  });
}

testWith(linux)("signs of life are given only where they are asked for, and by this process", async () => {
  const name = join(folder.path, "notify");
  const heard = listen(name);
  const environments: Record<string, string>[] = [{}, { WATCHDOG_USEC: "2000", WATCHDOG_PID: "1" }];
  for (const environment of environments) {
    const manager = await openServiceManager({ NOTIFY_SOCKET: name, ...environment }, { warn: expect.unreachable });
    manager.ready("");
    await Bun.sleep(20);
    manager.stopping();
    manager.close();
    expect([await heard.next(), await heard.next()]).toEqual([
      "READY=1\nSTATUS=",
      expect.stringMatching(/^STOPPING=1\n/) as never,
    ]);
  }
  heard.close();
});

testWith(linux)("a manager that hears nothing, or has no path, is told once in the log, and nothing ends", async () => {
  for (const name of [join(folder.path, "nobody"), "vsock:2:1234", `/${"x".repeat(200)}`]) {
    const said: string[] = [];
    const manager = await openServiceManager({ NOTIFY_SOCKET: name }, { warn: (message) => void said.push(message) });
    manager.ready("");
    manager.stopping();
    manager.close();
    expect(said).toEqual([expect.stringContaining("NOTIFY_SOCKET") as never]);
  }
});
