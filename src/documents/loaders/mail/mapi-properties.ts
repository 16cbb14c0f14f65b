/** The properties of one object of Outlook's (of a message, a recipient or an attachment; MS-OXCDATA, section 2.11), in whichever container they lie. */
import { decodeAs } from "../../decode-text.ts";

/** Types of values that have no fixed size. */
export const MapiType = { text8: 0x1e, text16: 0x1f, binary: 0x102 } as const;
/** 100-nanosecond steps from 1601, in which times are given, to 1970. */
export const STEPS_TO_1970 = 116_444_736_000_000_000n;

/** Names that are numbers, to the numbers under which this message keeps them (MS-OXMSG, section 2.2.3). */
export type NamedProperties = ReadonlyMap<number, number>;

export abstract class MapiProperties {
  /** Values of fixed size by their number, eight bytes each. */
  protected readonly fixed = new Map<number, DataView>();
  /** Of texts in 8 bits; null where nothing says it. */
  protected codePage: number | null = null;
  protected named: NamedProperties = new Map();

  /** The first of these properties that is a text and not blank, or "". */
  async text(...numbers: readonly number[]): Promise<string> {
    for (const number of numbers) {
      const wide = this.value(number, MapiType.text16);
      const narrow = wide === null ? this.value(number, MapiType.text8) : null;
      const text =
        wide === null ? await this.decoded(narrow ?? new Uint8Array()) : new TextDecoder("utf-16le").decode(wide);
      const [value = ""] = text.split("\0", 1);
      if (value.trim() !== "") return value;
    }
    return "";
  }

  binary(number: number): Uint8Array | null {
    return this.value(number, MapiType.binary);
  }

  number(number: number): number | null {
    return this.fixed.get(number)?.getInt32(0, true) ?? null;
  }

  /** Milliseconds since 1970. */
  time(number: number): number | null {
    const steps = this.fixed.get(number)?.getBigUint64(0, true);
    return steps === undefined || steps === 0n ? null : Number((steps - STEPS_TO_1970) / 10_000n);
  }

  /** The number of a property that is known by its name; one that is not there has the number 0, which none has. */
  namedAs(name: number): number {
    return this.named.get(name) ?? 0;
  }

  /** A value without a fixed size, where there is one of this type. */
  protected abstract value(number: number, type: number): Uint8Array | null;

  private async decoded(bytes: Uint8Array): Promise<string> {
    const encoding = this.codePage === 65001 ? "utf-8" : `cp${this.codePage ?? 1252}`;
    return (await decodeAs(bytes, encoding)) ?? (await decodeAs(bytes, "cp1252")) ?? "";
  }
}
