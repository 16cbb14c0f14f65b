/** Credits as they are shown and typed. */
import type { Credits } from "../service/types.ts";
import { formats, words } from "../words/index.ts";
import { Field } from "./field.tsx";

export function creditsInWords(credits: Credits): string {
  return credits === "unlimited" ? words.credits.unlimited : words.credits.left(credits);
}

export function creditsFigure(credits: Credits): string {
  return credits === "unlimited" ? "∞" : formats.number(credits);
}

/** Nothing typed: unlimited; null: it is no amount. */
export function readCredits(typed: string): Credits | null {
  const text = typed.trim();
  if (text === "") return "unlimited";
  return /^\d+(\.\d{1,3})?$/.test(text) ? Number(text) : null;
}

export function CreditsField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const isWrong = readCredits(value) === null;
  return (
    <Field
      label={words.credits.label}
      hint={isWrong ? words.credits.wrong : words.credits.hint}
      inputMode="decimal"
      autoComplete="off"
      placeholder={words.credits.unlimited}
      isInvalid={isWrong}
      value={value}
      onChange={onChange}
    />
  );
}
