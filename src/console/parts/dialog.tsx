/** A dialog in the foreground: the browser keeps the focus in it, and gives it back when it closes. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { words } from "../words/index.ts";
import { Icon } from "./icons.tsx";
import { Problem } from "./page.tsx";
import { useTask } from "./task.ts";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current!;
    const before = document.activeElement;
    shown.showModal();
    return () => {
      shown.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet icon-only" aria-label={words.actions.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  );
}

export interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** On the button that does it. */
  readonly action: string;
  /** What must be typed before. */
  readonly typed?: { readonly label: string; readonly text: string };
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is removed. */
export function Confirm({ title, children, action, typed, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState("");
  const { run, isRunning, error } = useTask();
  const isAllowed = typed === undefined || text === typed.text;
  const confirm = (event: Event): void => {
    event.preventDefault();
    if (isAllowed)
      void run(async () => {
        await onConfirm();
        onClose();
      });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={confirm}>
        <div class="dialog-body">
          {children}
          {typed && (
            <label class="field">
              <span>{typed.label}</span>
              <input
                type="text"
                dir="auto"
                value={text}
                autoComplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
            </label>
          )}
          <Problem error={error} />
        </div>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {words.actions.cancel}
          </button>
          <button type="submit" class="button danger" disabled={!isAllowed || isRunning}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
