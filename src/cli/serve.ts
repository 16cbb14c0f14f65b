/** `lectern serve`: runs the server until it is told to stop. */
import { version } from "../../package.json";
import { creditsRecord, type Access } from "../access/index.ts";
import { options, unknownVariables, type Config, type OptionName } from "../options/config.ts";
import { log } from "../foundation/log.ts";
import { openServiceManager, takeShortTurns } from "../native/index.ts";
import type { Command } from "./command.ts";
import { makeSignInLink } from "./console.ts";
import { followModelChoice } from "./follow-model-choice.ts";
import { noteChange } from "./operator-audit.ts";
import { openForCommand } from "./open-appliance.ts";
import { tellOcrProgram } from "./tell-ocr-program.ts";
import { print, printJson } from "./terminal.ts";

/** How long the first link to the console may be used, milliseconds. */
const FIRST_LINK = 86_400_000;
/** Only `ingest` and `search` reach other servers. */
const clientOptions: readonly OptionName[] = ["serverUrl", "apiKey", "serverAuthority"];

export const serveCommand: Command = {
  name: "serve",
  summary:
    "Runs the server. On an empty data directory it first makes the customer default and prints its API key, this once.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {
    "accept-loss": {
      value: null,
      sentence:
        "Start although documents, customers or the secret are missing: what the database does not know is set aside in lost+found.",
    },
  },
  options: (Object.keys(options) as OptionName[]).filter((name) => !clientOptions.includes(name)),
  notes: [
    "Prints one line with its address once it is ready. SIGTERM and SIGINT let running requests finish; a second one does not.",
  ],
  async run({ config, readConfig, flags, json }) {
    for (const variable of unknownVariables(process.env))
      log.warn("Ignored a variable that is no option of Lectern", { variable });
    endAtFirstSignal();
    await takeShortTurns();
    // Loaded here, so that the other commands start without the server's code.
    const [
      { startServer },
      { certificateFilesOf, readCertificate },
      { followCertificate },
      { Service },
      { warmDatasets },
    ] = await Promise.all([
      import("../http/server.ts"),
      import("../http/tls/certificate.ts"),
      import("../http/tls/follow-certificate.ts"),
      import("../http/service.ts"),
      import("../operations/warm.ts"),
    ]);
    const certificateFiles = certificateFilesOf(config);
    // Before anything is opened, let alone made.
    const certificate = certificateFiles && (await readCertificate(certificateFiles, new Date()));
    const acceptLoss = flags["accept-loss"] !== undefined;
    const appliance = await openForCommand(config, { acceptLoss });
    if (acceptLoss) noteChange(config, "directory.accept-loss", { lostChanges: appliance.access.lostChanges });
    const stopped = stopSignal();
    const manager = await openServiceManager(process.env, log);
    try {
      const service = new Service(appliance, config);
      service.isWarmingUp = true;
      const server = startServer(service, config, certificate);
      // A start that cannot listen makes none: its key, shown once, would be gone with the rest of its output.
      makeFirstCustomer(appliance.access, config, server.url, json);
      appliance.announce(server.url, certificate === null ? [] : [certificate.leaf]);
      if (json) printJson({ url: server.url, pid: process.pid });
      else print(`Lectern is ready at ${server.url}`);
      log.info("Ready", { url: server.url, version, pid: process.pid, dataDirectory: config.dataDirectory });
      void tellOcrProgram(config, log);
      manager.ready(`Serving at ${server.url}`);

      const warming = new AbortController();
      const warmed = warmDatasets(appliance, config.openDatasets, warming.signal);
      void warmed.then(() => (service.isWarmingUp = false));
      appliance.startReembedding();
      appliance.startUploadJobs();
      const stopFollowing = followModelChoice(
        appliance,
        config,
        readConfig,
        log,
        (reason) => (service.modelProblem = reason),
      );

      const stopFollowingCertificate =
        certificate && followCertificate(certificateFiles!, certificate, { server, announce: appliance.announce, log });

      log.info("Stopping", { signal: await stopped });
      manager.stopping();
      warming.abort();
      // It may be handing over just now, which the requests that run need not wait for.
      const isFollowed = stopFollowingCertificate?.();
      await stopFollowing();
      await server.stop(config.shutdownSeconds);
      await isFollowed;
    } finally {
      await appliance.close();
      manager.close();
    }
    return 0;
  },
};

/** On a data directory without any customer yet: `default`, unlimited, with one key, and a link for the operator to sign in to the console. */
function makeFirstCustomer(access: Access, config: Config, url: string, json: boolean): void {
  if (access.listCustomers().length > 0 || access.removedCustomers().length > 0) return;
  access.createCustomer("default", null);
  noteChange(config, "customer.create", { customer: "default", credits: creditsRecord(null) });
  const { customerId, keyId, apiKey } = access.createApiKey("default", "first");
  noteChange(config, "key.create", { customer: "default", key: keyId, scope: "all", expires: null });
  const signIn = config.console === "on" ? makeSignInLink(config, access.console, null, FIRST_LINK, url) : null;
  if (signIn !== null) noteChange(config, "console.link", { expires: signIn.expires });
  if (json) printJson({ customerId, keyId, apiKey, ...(signIn !== null && { console: signIn.link }) });
  else {
    print(`API key of the customer "default", shown this once: ${apiKey}`);
    if (signIn !== null) print(`Console, by this link once and within a day: ${signIn.link}`);
  }
}

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Until the engines are open there is nothing to finish, and no signal is waited with: the system ends a process that does not
 * handle it, whatever the process is doing. Only the first process of a container it spares, which therefore ends itself.
 */
function endAtFirstSignal(): void {
  if (process.pid === 1) for (const signal of STOP_SIGNALS) process.once(signal, () => process.exit(1));
}

/** Resolves with the first signal to stop; a second one ends the process at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let told = false;
    for (const signal of STOP_SIGNALS) {
      process.removeAllListeners(signal);
      process.on(signal, () => {
        if (told) process.exit(1);
        told = true;
        resolve(signal);
      });
    }
  });
}
