/**
 * Tells the service manager that started this process how it is doing, by systemd's protocol: datagrams to the socket that NOTIFY_SOCKET names.
 *
 * Where WATCHDOG_USEC asks for signs of life they come from this thread's event loop, so that a server that hangs gives none and is started again.
 */
import type { Log } from "../foundation/log.ts";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** Bytes of an address's path in `struct sockaddr_un`. */
const LONGEST_PATH = 108;

/** Signs of life within the time that the manager waits for one: with two a late one is no harm. */
const SIGNS_OF_LIFE = 2;

export interface ServiceManager {
  /** The server serves from now on. `status` is what `systemctl status` shows. Begins the signs of life where they are asked for. */
  ready(status: string): void;
  /** The server was told to end, and lets running requests finish. Signs of life go on until `close`. */
  stopping(): void;
  close(): void;
}

const nobody: ServiceManager = { ready() {}, stopping() {}, close() {} };

/**
 * The manager that the environment names; one that hears nothing where it names none. A manager that cannot be told is logged once, as
 * a warning: the server serves all the same.
 */
export async function openServiceManager(
  environment: Readonly<Record<string, string | undefined>>,
  log: Pick<Log, "warn">,
): Promise<ServiceManager> {
  const name = environment.NOTIFY_SOCKET;
  if (!name || process.platform !== "linux") return nobody;
  const address = unixAddress(name);
  if (address === null) {
    log.warn("The service manager cannot be told that this server is ready: NOTIFY_SOCKET is no path", { name });
    return nobody;
  }
  const { dlopen, ptr } = await import("bun:ffi");
  const libc = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const socket = libc.symbols.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  let isHeard = true;
  function tell(state: string): void {
    const bytes = Buffer.from(state);
    const flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    const sent = libc.symbols.sendto(socket, ptr(bytes), bytes.length, flags, ptr(address!), address!.length);
    if (Number(sent) < 0 && isHeard)
      log.warn("The service manager does not hear this server at NOTIFY_SOCKET", { name });
    isHeard = Number(sent) >= 0;
  }

  let signs: Timer | null = null;
  return {
    ready(status) {
      tell(`READY=1\nSTATUS=${status}`);
      const interval = millisecondsBetweenSigns(environment);
      if (interval !== null) signs = setInterval(() => tell("WATCHDOG=1"), interval);
    },
    stopping: () => tell("STOPPING=1\nSTATUS=Finishing running requests"),
    close() {
      if (signs !== null) clearInterval(signs);
      libc.symbols.close(socket);
      libc.close();
    },
  };
}

/** `struct sockaddr_un` of a path, or of a name without a file (`@…`); null for what is neither. */
function unixAddress(name: string): Buffer | null {
  const path = name.startsWith("@") ? Buffer.from(`\0${name.slice(1)}`) : Buffer.from(`${name}\0`);
  if (!/^[@/]./.test(name) || path.length > LONGEST_PATH) return null;
  // The family stands in the machine's own order of bytes.
  return Buffer.concat([new Uint8Array(new Uint16Array([AF_UNIX]).buffer), path]);
}

/** Milliseconds; null where no signs of life are asked for, or those of another process. */
function millisecondsBetweenSigns({
  WATCHDOG_USEC,
  WATCHDOG_PID,
}: Readonly<Record<string, string | undefined>>): number | null {
  const microseconds = Number(WATCHDOG_USEC);
  if (!(microseconds > 0) || (WATCHDOG_PID && Number(WATCHDOG_PID) !== process.pid)) return null;
  return Math.max(1, microseconds / 1000 / SIGNS_OF_LIFE);
}
