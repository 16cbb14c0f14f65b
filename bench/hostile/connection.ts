/** A bare connection: bytes as they are, so that sending much costs the sender little, and breaking off is up to the sender. */
import { connect, type Socket } from "node:net";

const PATIENCE = 120_000;

export class Connection {
  private received: Buffer = Buffer.alloc(0);
  private changed = Promise.withResolvers<void>();
  private isEnded = false;

  private constructor(private readonly socket: Socket) {
    socket.on("data", (bytes) => {
      this.received = Buffer.concat([this.received, Buffer.from(bytes)]);
      this.tell();
    });
    for (const event of ["end", "close", "error"] as const) socket.on(event, () => this.end());
    socket.setTimeout(PATIENCE, () => socket.destroy());
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const connection = new Connection(socket);
    await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", resolve));
    return connection;
  }

  get isOpen(): boolean {
    return !this.isEnded;
  }

  /** Resolves once the bytes are on their way, or cannot be any more. */
  send(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve) => {
      if (this.isEnded) return resolve();
      this.socket.once("close", resolve);
      this.socket.write(bytes, () => {
        this.socket.off("close", resolve);
        resolve();
      });
    });
  }

  /** The next answer's status; 0 when the connection ended without one. */
  async status(): Promise<number> {
    for (;;) {
      const answer = nextAnswer(this.received);
      if (answer !== null) {
        this.received = this.received.subarray(answer.length);
        return answer.status;
      }
      if (this.isEnded) return 0;
      await this.changed.promise;
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private end(): void {
    this.isEnded = true;
    this.tell();
  }

  private tell(): void {
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }
}

/** The first whole HTTP answer in the bytes, or null. */
function nextAnswer(bytes: Buffer): { status: number; length: number } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = bytes.toString("latin1", 0, end);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
  const declared = /^content-length: *(\d+)/im.exec(head);
  const length = declared ? end + 4 + Number(declared[1]) : chunkedEnd(bytes, end + 4);
  return length !== null && bytes.length >= length ? { status, length } : null;
}

function chunkedEnd(bytes: Buffer, start: number): number | null {
  const last = bytes.indexOf("0\r\n\r\n", start);
  return last < 0 ? null : last + 5;
}
