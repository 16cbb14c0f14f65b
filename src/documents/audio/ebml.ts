/** Elements of EBML (RFC 8794), of which Matroska and WebM are made. */
import type { ByteWindow } from "../byte-source.ts";

export interface Element {
  readonly id: number;
  readonly start: number;
  /** Infinity where the length was not known when it was written: it ends where something begins that it cannot hold. */
  readonly end: number;
}

/** The element at an offset; null at the end, and where bytes are none. */
export function elementAt(window: ByteWindow, offset: number): Element | null {
  const head = window.read(offset, 12);
  const idLength = Math.clz32(head[0] ?? 0) - 23;
  if (head.length < 2 || idLength > 4) return null;
  let id = 0;
  for (let index = 0; index < idLength; index += 1) id = id * 256 + (head[index] ?? 0);
  const size = variableNumber(head.subarray(idLength));
  if (size === null) return null;
  const start = offset + idLength + size.length;
  return { id, start, end: size.isUnknown ? Number.POSITIVE_INFINITY : start + size.value };
}

/** Elements in a row. */
export function* elementsIn(window: ByteWindow, start: number, end: number): Generator<Element> {
  for (let offset = start; offset < end; ) {
    const element = elementAt(window, offset);
    if (element === null || element.end === Number.POSITIVE_INFINITY) return;
    yield { ...element, end: Math.min(end, element.end) };
    offset = element.end;
  }
}

/** A number whose leading zeros say how many bytes it takes. */
export function variableNumber(bytes: Uint8Array): { value: number; length: number; isUnknown: boolean } | null {
  const first = bytes[0];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (bytes.length < length) return null;
  let value = first & ((1 << (8 - length)) - 1);
  let isUnknown = value === (1 << (8 - length)) - 1;
  for (let index = 1; index < length; index += 1) {
    value = value * 256 + bytes[index]!;
    isUnknown &&= bytes[index] === 255;
  }
  return { value, length, isUnknown };
}

export function unsignedOf(window: ByteWindow, { start, end }: Element): number {
  let value = 0;
  for (const byte of window.read(start, Math.min(8, end - start))) value = value * 256 + byte;
  return value;
}

export function floatOf(window: ByteWindow, { start, end }: Element): number {
  const view = window.view(start, end - start === 8 ? 8 : 4);
  return view.byteLength === 8 ? view.getFloat64(0) : view.byteLength === 4 ? view.getFloat32(0) : 0;
}

export function textOf(window: ByteWindow, { start, end }: Element): string {
  return new TextDecoder().decode(window.read(start, Math.min(1000, end - start))).replace(/\0.*$/s, "");
}
