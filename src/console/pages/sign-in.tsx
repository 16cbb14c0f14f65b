/** Signing in: the operator by a password, a customer by an API key; links do it by themselves. */
import { useEffect, useState } from "preact/hooks";
import { Field } from "../parts/field.tsx";
import { Mark } from "../parts/icons.tsx";
import { Problem } from "../parts/page.tsx";
import { ThemeSwitch } from "../parts/shell.tsx";
import { useTask } from "../parts/task.ts";
import { request, type RequestError } from "../service/requests.ts";
import type { SessionState } from "../service/types.ts";
import { words } from "../words/index.ts";

export interface SignInProps {
  /** The last session ended while it was used. */
  readonly hasEnded: boolean;
  readonly hasPassword: boolean;
  /** Why a link did not sign in. */
  readonly linkError: RequestError | null;
  readonly onSignedIn: (state: SessionState) => void;
}

const WAYS = ["password", "apiKey"] as const;
type Way = (typeof WAYS)[number];

export function SignIn({ hasEnded, hasPassword, linkError, onSignedIn }: SignInProps) {
  const [way, setWay] = useState<Way>(hasPassword ? "password" : "apiKey");
  const [secret, setSecret] = useState("");
  const { run, isRunning, error } = useTask();
  useEffect(() => {
    document.title = `${words.signIn.title} · ${words.product}`;
  }, []);
  const signIn = (event: Event): void => {
    event.preventDefault();
    void run(async () =>
      onSignedIn(await request<SessionState>("POST", "/console/session", { json: { [way]: secret } })),
    );
  };
  return (
    <main class="lone">
      <div class="lone-card">
        <div class="brand large">
          <Mark />
          <span>{words.product}</span>
        </div>
        <h1>{words.signIn.title}</h1>
        {hasEnded && (
          <p class="notice" role="status">
            {words.signIn.ended}
          </p>
        )}
        {error === null && <Problem error={linkError} />}
        <fieldset class="segments wide">
          <legend class="unseen">{words.signIn.way}</legend>
          {WAYS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === way}
              onClick={() => {
                setWay(one);
                setSecret("");
              }}
            >
              {words.signIn.ways[one]}
            </button>
          ))}
        </fieldset>
        {way === "password" && !hasPassword ? (
          <p class="soft">{words.signIn.noPassword}</p>
        ) : (
          <form onSubmit={signIn}>
            {way === "password" && (
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
            )}
            <Field
              key={way}
              label={words.signIn[way].label}
              hint={words.signIn[way].hint}
              type="password"
              name={way}
              autoComplete={way === "password" ? "current-password" : "off"}
              required
              value={secret}
              onChange={setSecret}
            />
            <Problem error={error} />
            <button type="submit" class="button primary wide" disabled={isRunning || secret === ""}>
              {words.signIn.action}
            </button>
          </form>
        )}
        <p class="soft fine">{words.signIn.link}</p>
      </div>
      <ThemeSwitch />
    </main>
  );
}
