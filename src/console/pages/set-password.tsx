/** Asks for a password after the operator has come by a link. */
import { useEffect, useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { Field } from "../parts/field.tsx";
import { Mark } from "../parts/icons.tsx";
import { Problem } from "../parts/page.tsx";
import { useTask } from "../parts/task.ts";
import { request } from "../service/requests.ts";
import { words } from "../words/index.ts";

export interface SetPasswordProps {
  /** No password was ever set. */
  readonly isFirst: boolean;
  readonly onDone: (isSet: boolean) => void;
}

/** Characters that a password has at least. */
const LEAST = 12;

export function SetPassword({ isFirst, onDone }: SetPasswordProps) {
  useEffect(() => {
    document.title = `${words.password.first} · ${words.product}`;
  }, []);
  return (
    <main class="lone">
      <div class="lone-card">
        <div class="brand large">
          <Mark />
          <span>{words.product}</span>
        </div>
        <h1>{isFirst ? words.password.first : words.password.again}</h1>
        <p class="soft">{words.password.why}</p>
        <PasswordForm asksCurrent={false} onDone={() => onDone(true)} />
        <button type="button" class="button quiet wide" onClick={() => onDone(false)}>
          {words.password.later}
        </button>
      </div>
    </main>
  );
}

/** `asksCurrent`: the former password is asked for. */
export function PasswordForm({ asksCurrent, onDone }: { asksCurrent: boolean; onDone: () => void }) {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const { run, isRunning, error } = useTask();
  const differs = again !== "" && again !== password;
  const isReady = password.length >= LEAST && again === password && (!asksCurrent || current !== "");
  const save = (event: Event): void => {
    event.preventDefault();
    if (isReady)
      void run(async () => {
        await request("POST", "/console/password", { json: { password, ...(asksCurrent && { current }) } });
        setCurrent("");
        setPassword("");
        setAgain("");
        announce(words.password.done);
        onDone();
      });
  };
  return (
    <form onSubmit={save}>
      <input
        class="unseen"
        type="text"
        name="username"
        autoComplete="username"
        value="operator"
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {asksCurrent && (
        <Field
          label={words.password.current}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
      )}
      <Field
        label={words.password.label}
        hint={words.password.hint(LEAST)}
        type="password"
        autoComplete="new-password"
        minLength={LEAST}
        value={password}
        onChange={setPassword}
      />
      <Field
        label={words.password.repeat}
        hint={differs ? words.password.differs : null}
        type="password"
        autoComplete="new-password"
        value={again}
        isInvalid={differs}
        onChange={setAgain}
      />
      <Problem error={error} />
      <button type="submit" class="button primary wide" disabled={!isReady || isRunning}>
        {words.password.action}
      </button>
    </form>
  );
}
