/** Who is signed in, and which page they see. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { Announcements, announce } from "./parts/announcements.tsx";
import { goTo } from "./parts/links.tsx";
import { Problem } from "./parts/page.tsx";
import { SetPassword } from "./pages/set-password.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { CustomerPages } from "./pages/customer-pages.tsx";
import { OperatorPages } from "./pages/operator-pages.tsx";
import { RequestError, request, setToken, whenSessionEnds } from "./service/requests.ts";
import type { SessionState } from "./service/types.ts";
import { stopUploads } from "./service/upload-queue.ts";
import { readFragment } from "./text/address.ts";
import { words } from "./words/index.ts";

export function Console() {
  const [state, setState] = useState<SessionState | null>(null);
  const [error, setError] = useState<RequestError | null>(null);
  const [hasEnded, setEnded] = useState(false);
  /** Signed in by a link just now: a password may be set without the former one. */
  const [asksPassword, setAsksPassword] = useState(false);
  const [path, setPath] = useState(() => pagePath());

  const take = useCallback((next: SessionState) => {
    setToken(next.session?.csrf ?? null);
    setError(null);
    setState((last) => ({ ...last, ...next }));
  }, []);

  const ask = useCallback(async () => {
    const secret = takeLinkSecret();
    try {
      const present = await request<SessionState>("GET", "/console/session");
      take(present);
      if (secret !== null) {
        const opened = await request<SessionState>("POST", "/console/session", { json: { link: secret } });
        take(opened);
        setEnded(false);
        setAsksPassword(opened.session?.role === "operator");
      }
    } catch (thrown) {
      if (!(thrown instanceof RequestError)) throw thrown;
      setError(thrown);
      // Whoever is signed in already stays so, and sees no page that tells it.
      if (secret !== null) announce(thrown.message);
    }
  }, []);

  useEffect(() => {
    const onChange = (): void => {
      setPath(pagePath());
      if (isLink(readFragment(location.hash))) void ask();
    };
    addEventListener("hashchange", onChange);
    whenSessionEnds(() => {
      setToken(null);
      stopUploads();
      setEnded(true);
      setState((last) => last && { ...last, session: null });
    });
    void ask();
    return () => removeEventListener("hashchange", onChange);
  }, []);

  const signOut = useCallback(async () => {
    try {
      await request("DELETE", "/console/session");
    } catch (thrown) {
      if (!(thrown instanceof RequestError)) throw thrown;
      // Still signed in, and so it is said.
      return announce(thrown.message);
    }
    stopUploads();
    setToken(null);
    setEnded(false);
    setState((last) => last && { ...last, session: null });
    goTo();
    announce(words.signIn.signedOut);
  }, []);

  return (
    <>
      {content()}
      <Announcements />
    </>
  );

  function content() {
    if (state === null)
      return (
        <main class="lone">
          {error === null ? <p class="waiting">{words.loading}</p> : <Problem error={error} onRetry={ask} />}
        </main>
      );
    const { session } = state;
    if (session === null) {
      return (
        <SignIn
          hasEnded={hasEnded}
          hasPassword={state.operatorPassword === "set"}
          linkError={error}
          onSignedIn={(next) => {
            setEnded(false);
            take(next);
          }}
        />
      );
    }
    if (asksPassword && session.role === "operator")
      return (
        <SetPassword
          isFirst={state.operatorPassword === "unset"}
          onDone={(isSet) => {
            setAsksPassword(false);
            if (isSet) setState({ ...state, operatorPassword: "set" });
          }}
        />
      );
    const shell = { path, session, version: state.version ?? null, onSignOut: signOut };
    return session.role === "operator" ? (
      <OperatorPages
        {...shell}
        hasPassword={state.operatorPassword === "set"}
        onPasswordSet={() => setState({ ...state, operatorPassword: "set" })}
      />
    ) : (
      <CustomerPages {...shell} />
    );
  }
}

const isLink = ([first]: readonly string[]): boolean => first === "sign-in";

/** Which page the address names. */
function pagePath(): readonly string[] {
  const path = readFragment(location.hash);
  return isLink(path) ? [] : path;
}

/** Of the address that a link led to, which it does not stay in. */
function takeLinkSecret(): string | null {
  const path = readFragment(location.hash);
  const [, secret] = path;
  if (!isLink(path) || secret === undefined) return null;
  history.replaceState(null, "", location.pathname);
  return secret;
}
