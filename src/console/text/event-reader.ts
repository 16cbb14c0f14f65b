/** Server-Sent Events (WHATWG HTML, section 9.2) read from text as it arrives. Pure. */

export interface StreamedEvent {
  readonly event: string;
  readonly data: string;
}

export class EventReader {
  private held = "";
  private event = "";
  private data: string[] = [];

  /** What has become whole by this piece of the stream. */
  read(piece: string): StreamedEvent[] {
    this.held += piece;
    const events: StreamedEvent[] = [];
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(this.held);
      if (end === null) return events;
      const line = this.held.slice(0, end.index);
      this.held = this.held.slice(end.index + end[0].length);
      const event = this.take(line);
      if (event !== null) events.push(event);
    }
  }

  private take(line: string): StreamedEvent | null {
    if (line === "") {
      const whole = this.data.length === 0 ? null : { event: this.event || "message", data: this.data.join("\n") };
      this.event = "";
      this.data = [];
      return whole;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (field === "event") this.event = value!;
    if (field === "data") this.data.push(value!);
    return null;
  }
}
