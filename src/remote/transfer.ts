/** Marks what is moved to the other end instead of being copied. */
const marked = new WeakMap<object, readonly ArrayBuffer[]>();

/** `value`, an argument or a result, whose arrays' buffers move across with it; they are empty here afterwards. Child processes get copies. */
export function transfer<Value extends object>(value: Value, arrays: readonly ArrayBufferView[]): Value {
  marked.set(
    value,
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  );
  return value;
}

export function buffersOf(value: unknown): readonly ArrayBuffer[] {
  return (typeof value === "object" && value !== null && marked.get(value)) || [];
}
