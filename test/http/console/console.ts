/** Signing in to a test server's console. */
import type { Call, Reply, TestServer } from "../../harness.ts";

export interface SignedIn {
  readonly cookie: string;
  readonly csrf: string;
  /** As the page asks. */
  call(method: string, path: string, call?: Call): Promise<Reply>;
}

export const OPERATOR_PASSWORD = "correct horse battery";

/** Signs in; throws unless it is answered 201. */
export async function signIn(lectern: TestServer, by: Record<string, string>): Promise<SignedIn> {
  const reply = await lectern.call("POST", "/console/session", { json: by });
  if (reply.status !== 201) throw new Error(`Signing in was answered ${reply.status}: ${reply.text}`);
  const cookie = reply.headers.get("set-cookie")!.split(";")[0]!;
  const { csrf } = reply.body.session as { csrf: string };
  return {
    cookie,
    csrf,
    call: (method, path, { headers, ...call } = {}) =>
      lectern.call(method, path, { ...call, headers: { cookie, "x-console-csrf": csrf, ...headers } }),
  };
}

export async function signInOperator(lectern: TestServer): Promise<SignedIn> {
  const { console: accounts } = lectern.appliance.access;
  if (!accounts.hasPassword()) await accounts.setPassword(OPERATOR_PASSWORD, null);
  return signIn(lectern, { password: OPERATOR_PASSWORD });
}
