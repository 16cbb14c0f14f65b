/**
 * Signed tokens, HS256 only: frontend tokens (one dataset, for browsers) and operator tokens (all datasets, for the
 * command line beside the server), each kind under a key of its own. They are stateless; whether the customer still
 * exists is for the caller to ask.
 */
import { errors, jwtVerify, SignJWT } from "jose";

const OPERATOR_AUDIENCE = "operator";
const OPERATOR_SECONDS = 300;
const MAX_DATASET_CHARACTERS = 100;
/** Larger credentials are refused unread. A token of the longest dataset id, all escaped, stays far below. */
const MAX_TOKEN_CHARACTERS = 4_096;

export interface TokenClaims {
  customerId: string;
  /** null for an operator token. */
  datasetId: string | null;
  /** Unix seconds. */
  issuedAt: number;
}

export interface Tokens {
  create(customerId: string, datasetId: string, ttlSeconds: number): Promise<string>;
  createOperator(customerId: string): Promise<string>;
  /** null for anything but an unexpired, untouched token of ours. */
  read(token: string): Promise<TokenClaims | null>;
}

export function createTokens(keys: { frontend: Uint8Array; operator: Uint8Array }, now: () => number): Tokens {
  const seconds = () => Math.floor(now() / 1000);

  function sign(claims: Record<string, string>, ttlSeconds: number, key: Uint8Array): Promise<string> {
    const issued = seconds();
    return new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "JWT" }).setIssuedAt(issued).setExpirationTime(issued + ttlSeconds).sign(key);
  }

  /** The claims when the token is signed with this key and of this audience (none: null). */
  async function verify(token: string, key: Uint8Array, audience: string | null): Promise<TokenClaims | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        requiredClaims: ["customerId", "iat", "exp"],
        currentDate: new Date(now()),
        ...(audience !== null && { audience }),
      });
      const { customerId, datasetId, iat } = payload;
      if (typeof customerId !== "string" || typeof iat !== "number") return null;
      if (audience !== null) return datasetId === undefined ? { customerId, datasetId: null, issuedAt: iat } : null;
      if (payload.aud !== undefined || !isDatasetId(datasetId)) return null;
      return { customerId, datasetId, issuedAt: iat };
    } catch (error) {
      // jose has an error for each way in which a token can be wrong; to us and to the caller they are all one.
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  return {
    create: (customerId, datasetId, ttlSeconds) => sign({ customerId, datasetId }, ttlSeconds, keys.frontend),
    createOperator: (customerId) => sign({ customerId, aud: OPERATOR_AUDIENCE }, OPERATOR_SECONDS, keys.operator),
    async read(token) {
      if (token.length > MAX_TOKEN_CHARACTERS || !isCanonical(token)) return null;
      return (await verify(token, keys.frontend, null)) ?? (await verify(token, keys.operator, OPERATOR_AUDIENCE));
    },
  };
}

function isDatasetId(value: unknown): value is string {
  return typeof value === "string" && value.length >= 1 && value.length <= MAX_DATASET_CHARACTERS;
}

/** Three parts, each in the one spelling that its bytes have: a token changed in any character is another token. */
function isCanonical(token: string): boolean {
  const parts = token.split(".");
  return parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}
