/** Decides where commands on documents do their work. */
import type { Config } from "../options/config.ts";
import { readServerAddress } from "../data-directory/lock.ts";
import { fail } from "../foundation/errors.ts";
import type { DocumentService } from "./document-service.ts";
import { openHttpService } from "./http-service.ts";
import { trustAuthority, trustOnly } from "./server-trust.ts";
import { chooseCustomer, withAccess } from "./with-access.ts";

/** An operator token lives for five minutes. */
const RENEW_TOKEN_AFTER_MILLISECONDS = 2 * 60_000;

/**
 * The server named by `--url`, else the one that holds the data directory, else this process itself.
 * Throws USAGE when `--url` and `--key` do not come together, OPERATION_FAILED when the customer is not there.
 */
export async function chooseService(config: Config, namedCustomer: string | undefined): Promise<DocumentService> {
  if (config.serverUrl !== null) return remoteService(config, config.serverUrl, namedCustomer);
  if (config.apiKey !== null)
    throw fail("USAGE", { reason: "--key goes with --url. On the server's own machine neither is needed." });

  const running = readServerAddress(config.dataDirectory);
  if (running === null) {
    await withAccess(config, (access) => chooseCustomer(access, namedCustomer));
    // The engines are loaded only by those who need them in this process.
    const { openLocalService } = await import("./local-service.ts");
    return openLocalService(config, namedCustomer);
  }
  const customerId = await withAccess(config, (access) => chooseCustomer(access, namedCustomer));
  return openHttpService({
    url: running.url,
    credential: operatorToken(config, customerId),
    trust: () => trustOnly((readServerAddress(config.dataDirectory) ?? running).certificates),
  });
}

function remoteService(
  { apiKey, serverAuthority }: Config,
  url: string,
  namedCustomer: string | undefined,
): DocumentService {
  if (apiKey === null)
    throw fail("USAGE", { reason: "--url needs a key: give --key, LECTERN_KEY, or LECTERN_KEY_FILE." });
  if (namedCustomer !== undefined)
    throw fail("USAGE", { reason: "--customer does not go with --url: the key says whose dataset it is." });
  const trust = trustAuthority(serverAuthority);
  return openHttpService({ url, credential: async () => apiKey, trust: () => trust });
}

/** Gives a token that is good for minutes more; makes a new one in time. */
function operatorToken(config: Config, customerId: string): () => Promise<string> {
  let token: Promise<string> | null = null;
  let made = 0;
  return () => {
    if (token === null || performance.now() - made > RENEW_TOKEN_AFTER_MILLISECONDS) {
      made = performance.now();
      token = withAccess(config, (access) => access.createOperatorToken(customerId));
    }
    return token;
  };
}
