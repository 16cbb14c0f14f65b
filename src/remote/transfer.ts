/** Marks what is moved to the other end instead of being copied. */
export type Moved = ArrayBuffer | MessagePort;

const marked = new WeakMap<object, readonly Moved[]>();

/** `value`, an argument or a result, whose arrays' buffers or ports move across with it; they are of no use here afterwards. Child processes get copies. */
export function transfer<Value extends object>(value: Value, moved: readonly (ArrayBufferView | MessagePort)[]): Value {
  marked.set(
    value,
    moved.map((one) => (ArrayBuffer.isView(one) ? (one.buffer as ArrayBuffer) : one)),
  );
  return value;
}

export function movedWith(value: unknown): readonly Moved[] {
  return (typeof value === "object" && value !== null && marked.get(value)) || [];
}
