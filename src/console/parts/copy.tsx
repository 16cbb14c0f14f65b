/** Text that is to be taken elsewhere, with a button that copies it. */
import { useEffect, useId, useState } from "preact/hooks";
import { words } from "../words/index.ts";
import { Icon } from "./icons.tsx";
import { announce } from "./announcements.tsx";

const SHOWN_FOR = 2000;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    const done = await copyText(text);
    setCopied(done);
    announce(done ? words.copy.done : words.copy.failed);
  };
  return (
    <button type="button" class="button small" aria-label={label} onClick={copy}>
      <Icon name="copy" />
      <span>{isCopied ? words.copy.copied : words.copy.copy}</span>
    </button>
  );
}

/** A key or a link, which is told once. */
export function SecretText({ label, text }: { label: string; text: string }) {
  const id = useId();
  return (
    <div class="secret">
      <label for={id}>{label}</label>
      <div class="secret-row">
        <input
          id={id}
          type="text"
          readOnly
          value={text}
          dir="ltr"
          spellcheck={false}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={text} label={words.copy.what(label)} />
      </div>
    </div>
  );
}

/** Pages of plain HTTP have no clipboard but by selecting. */
async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not permitted: by selecting, then.
    }
  }
  const field = document.createElement("textarea");
  field.value = text;
  // Inside a dialog, nothing outside it can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
