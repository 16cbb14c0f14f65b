/** What the two ends of a connection say to each other, whatever lies between them, and how errors get across. Pure. */
import { fail, LecternError, type ErrorCode } from "../foundation/errors.ts";

export type ToServer =
  | { readonly call: number; readonly method: string; readonly given: readonly unknown[] }
  /** Nobody waits for that call's answer any more. */
  | { readonly cancel: number };

export type ToCaller =
  /** From a child process, first of all: what is sent before is lost. */
  | { readonly ready: true }
  | { readonly reply: number; readonly value: unknown }
  | { readonly failed: number; readonly error: SentError }
  /** The next of a stream, and its end. */
  | { readonly item: number; readonly value: unknown }
  | { readonly done: number }
  /** A function that a call was given is called. */
  | { readonly callback: number; readonly given: readonly unknown[] };

/** What stands for an argument that cannot be copied: a signal, aborted when its call is cancelled, or the function with this number. */
export interface StandIn {
  readonly standsFor: "signal" | "function";
  readonly id: number;
}

export const standIn = (standsFor: StandIn["standsFor"], id = 0): StandIn => ({ standsFor, id });

export function isStandIn(value: unknown): value is StandIn {
  return typeof value === "object" && value !== null && "standsFor" in value;
}

/** An error on its way: one of the table by its code, any other by its name. */
export interface SentError {
  readonly code: ErrorCode | null;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly values: Record<string, string | number>;
  readonly details: Record<string, unknown> | undefined;
  readonly cause: SentError | undefined;
}

export function toSentError(error: unknown): SentError {
  const { code, values, details } =
    error instanceof LecternError ? error : { code: null, values: {}, details: undefined };
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  return { code, name, message, stack, values, details, cause: cause === undefined ? undefined : toSentError(cause) };
}

/** The error as it was thrown at the other end, with its causes. */
export function toError({ code, name, message, stack, values, details, cause: sent }: SentError): Error {
  const cause = sent && toError(sent);
  if (code !== null) return fail(code, values, details, cause);
  const error = name === "RangeError" ? new RangeError(message, { cause }) : new Error(message, { cause });
  return Object.assign(error, { name, stack });
}
