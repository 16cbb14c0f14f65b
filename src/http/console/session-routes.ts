/** GET, POST and DELETE /console/session, POST /console/password: signing in to the console, and out. */
import { Elysia } from "elysia";
import { version } from "../../../package.json";
import type { ConsoleSession, NewConsoleSession } from "../../access/index.ts";
import { fail } from "../../foundation/errors.ts";
import { admittedEndpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import type { Service } from "../service.ts";
import { sessionOf } from "./console-caller.ts";
import { auditConsole, consoleEndpoint, refuseForeignPage } from "./endpoint.ts";
import { consoleLimits } from "./limits.ts";
import { requestFields, textField } from "./request-fields.ts";
import { sessionCookie, sessionSecretOf } from "./session-cookie.ts";
import { SignInPace } from "./sign-in-pace.ts";

/** Passwords that are compared at once: each takes 64 MB and a processor for a tenth of a second. */
const MOST_COMPARED = 2;
const HOUR = 3_600_000;

export function sessionRoutes(service: Service) {
  const { access } = service.engines;
  const pace = new SignInPace();
  let comparing = 0;
  const isSecure = (): boolean =>
    service.certificateExpires !== null || (service.options.publicUrl?.startsWith("https:") ?? false);
  const state = (session: ConsoleSession | null) => ({
    session: session === null ? null : shown(session),
    operatorPassword: access.console.hasPassword() ? "set" : "unset",
    version,
  });
  const setCookie = (exchange: Exchange, secret: string | null, seconds: number): void => {
    exchange.headers["set-cookie"] = sessionCookie(secret, seconds, isSecure());
  };

  /** Whose the secret is. Throws INVALID_SIGN_IN. */
  async function identify({ body }: Exchange): Promise<Omit<NewConsoleSession, "expires">> {
    const fields = requestFields(body, ["password", "apiKey", "link"]);
    if (Object.keys(fields).length !== 1)
      throw fail("INVALID_REQUEST", { reason: "one of password, apiKey and link is needed." });
    const password = textField(fields, "password");
    if (password !== undefined) {
      if (!(await comparePassword(password))) throw fail("INVALID_SIGN_IN");
      return { customerId: null, keyId: null, byLink: false };
    }
    const link = textField(fields, "link");
    if (link !== undefined) {
      const found = access.console.useLink(link);
      if (found === null) throw fail("INVALID_SIGN_IN");
      return { ...found, keyId: null, byLink: true };
    }
    const caller = await access.identify(textField(fields, "apiKey")!);
    if (caller?.keyId == null) throw fail("INVALID_SIGN_IN");
    return { customerId: caller.customerId, keyId: caller.keyId, byLink: false };
  }

  async function comparePassword(password: string): Promise<boolean> {
    if (comparing >= MOST_COMPARED) throw fail("BUSY", { retryAfter: 1 });
    comparing++;
    try {
      return await access.console.checkPassword(password);
    } finally {
      comparing--;
    }
  }

  async function signIn(exchange: Exchange): Promise<Response> {
    const address = service.addressOf(exchange.request);
    pace.check(address);
    pace.noteAttempt(address);
    const found = await identify(exchange);
    pace.noteSuccess(address);
    const hours = service.options.consoleSessionHours;
    const secret = access.console.openSession({ ...found, expires: Date.now() + hours * HOUR });
    const session = access.console.session(secret);
    if (session === null) throw fail("INVALID_SIGN_IN");
    auditConsole(exchange, session, "console.sign-in", {
      ...(session.customerId !== null && { customer: session.customerId }),
      with: session.byLink ? "link" : session.keyId === null ? "password" : "key",
    });
    setCookie(exchange, secret, hours * 3600);
    return exchange.json(state(session), 201);
  }

  const open = (route: string, body: "json" | "none", work: (exchange: Exchange) => Response | Promise<Response>) =>
    admittedEndpoint(service, { route, body }, ({ request }) => refuseForeignPage(request.headers), work);

  return new Elysia()
    .get(
      "/console/session",
      open("GET /console/session", "none", (exchange) => {
        const secret = sessionSecretOf(exchange.request.headers);
        return exchange.json(state(secret === null ? null : access.console.session(secret)));
      }),
      unparsed,
    )
    .post("/console/session", open("POST /console/session", "json", signIn), unparsed)
    .delete(
      "/console/session",
      open("DELETE /console/session", "none", (exchange) => {
        const { headers } = exchange.request;
        // Without the header it may be another page that asks; without a session there is nothing to end.
        if (sessionOf(access, headers) !== null) access.console.closeSession(sessionSecretOf(headers)!);
        setCookie(exchange, null, 0);
        return exchange.json({});
      }),
      unparsed,
    )
    .post(
      "/console/password",
      consoleEndpoint(
        service,
        { route: "POST /console/password", role: "operator", body: "json" },
        async (exchange, session) => {
          const fields = requestFields(exchange.body, ["password", "current"]);
          const password = textField(fields, "password");
          const { minLength, maxLength } = consoleLimits.password;
          if (password === undefined || password.length < minLength || password.length > maxLength)
            throw fail("INVALID_REQUEST", { reason: `a password has ${minLength} to ${maxLength} characters.` });
          if (!session.byLink || fields.current !== undefined) {
            const address = service.addressOf(exchange.request);
            pace.check(address);
            pace.noteAttempt(address);
            if (!(await comparePassword(textField(fields, "current") ?? ""))) throw fail("INVALID_SIGN_IN");
            pace.noteSuccess(address);
          }
          await access.console.setPassword(password, sessionSecretOf(exchange.request.headers));
          auditConsole(exchange, session, "console.password", {});
          return exchange.json({});
        },
      ),
      unparsed,
    );
}

function shown({ customerId, scope, requestSecret, expires }: ConsoleSession) {
  return {
    role: customerId === null ? "operator" : "customer",
    customerId,
    mayChange: scope === "all",
    csrf: requestSecret,
    expires: new Date(expires).toISOString(),
  };
}
