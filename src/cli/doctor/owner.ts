/** Who holds the data directory, and whether that process answers. */
import type { Config } from "../../options/config.ts";
import { readServerAddress } from "../../data-directory/lock.ts";
import { trustOnly } from "../server-trust.ts";
import { bad, good, warning, type Finding } from "./finding.ts";

const SUBJECT = "server";
const PATIENCE_MILLISECONDS = 3000;

export async function checkOwner(config: Config): Promise<Finding> {
  const server = readServerAddress(config.dataDirectory);
  if (server === null) return good(SUBJECT, "none is running on this data directory.");
  const who = `process ${server.pid} at ${server.url}`;
  try {
    const response = await fetch(`${server.url}/readyz`, {
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
      tls: trustOnly(server.certificates),
    });
    const { status, message } = (await response.json().catch(() => ({}))) as { status?: string; message?: string };
    if (response.ok && status !== "degraded") return good(SUBJECT, `${who} is ready.`);
    if (response.ok) return warning(SUBJECT, `${who} works, but not all of it.`, message ?? "Look at its log.");
    return bad(SUBJECT, `${who} is not ready (status ${response.status}). ${message ?? ""}`.trim(), "Look at its log.");
  } catch (error) {
    return bad(
      SUBJECT,
      `${who} does not answer: ${(error as Error).message}`,
      "Look at its log; if it hangs, stop it and start it again. Nothing that was answered is lost.",
    );
  }
}
