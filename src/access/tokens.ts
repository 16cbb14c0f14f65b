/**
 * Signed tokens, HS256 only: frontend tokens (one dataset, for browsers) and operator tokens (all datasets, for the command
 * line beside the server). They are stateless. Each kind has a key of its own for every customer's incarnation, so that a token
 * ends with its customer and is none of the next customer's of the same name, whatever the clock says.
 */
import { decodeJwt, errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import type { Purpose } from "./secret.ts";

/** A token that ends later was made while the clock stood far ahead, and would live for as long. Half of it is for clocks that are put right by less than a day. */
const FURTHEST_EXPIRY_SECONDS = 2 * fieldLimits.ttlSeconds.maximum;
const OPERATOR_AUDIENCE = "operator";
const OPERATOR_SECONDS = 300;
/** Larger credentials are refused unread. A token of the longest dataset id, all escaped, stays far below. */
const MAX_TOKEN_CHARACTERS = 4_096;

type TokenPurpose = Extract<Purpose, "frontend token" | "operator token">;

export interface TokenClaims {
  customerId: string;
  /** null for an operator token. */
  datasetId: string | null;
  scope: "read" | "all";
  /** Unix seconds. */
  expiresAt: number;
}

export interface Tokens {
  /** Throws INVALID_API_KEY when the customer is gone, like `createOperator`. */
  create(customerId: string, datasetId: string, ttlSeconds: number, scope?: "read" | "all"): Promise<string>;
  createOperator(customerId: string): Promise<string>;
  /** null for anything but an unexpired, untouched token of ours whose customer is still there. */
  read(token: string): Promise<TokenClaims | null>;
}

/** `incarnationOf` tells a customer's incarnation, undefined when there is no such customer (any more). */
export function createTokens(
  keyOf: (purpose: TokenPurpose, incarnation: string | null) => Uint8Array,
  incarnationOf: (customerId: string) => string | null | undefined,
  now: () => number,
): Tokens {
  const seconds = () => Math.floor(now() / 1000);

  async function sign(
    purpose: TokenPurpose,
    claims: { customerId: string } & Record<string, string>,
    ttlSeconds: number,
  ): Promise<string> {
    const incarnation = incarnationOf(claims.customerId);
    if (incarnation === undefined) throw fail("INVALID_API_KEY");
    const issued = seconds();
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuedAt(issued)
      .setExpirationTime(issued + ttlSeconds)
      .sign(keyOf(purpose, incarnation));
  }

  return {
    create: (customerId, datasetId, ttlSeconds, scope = "all") =>
      sign("frontend token", { customerId, datasetId, ...(scope !== "all" && { scope }) }, ttlSeconds),
    createOperator: (customerId) => sign("operator token", { customerId, aud: OPERATOR_AUDIENCE }, OPERATOR_SECONDS),

    async read(token) {
      if (token.length > MAX_TOKEN_CHARACTERS || !isCanonical(token)) return null;
      try {
        // Not yet to be believed: it only says which key the signature has to fit.
        const claimed = readClaims(decodeJwt(token));
        if (claimed === null) return null;
        const incarnation = incarnationOf(claimed.customerId);
        // A customer that is not there costs the same work, so that the time taken tells nothing.
        const key = keyOf(claimed.datasetId === null ? "operator token" : "frontend token", incarnation ?? null);
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          requiredClaims: ["iat", "exp"],
          currentDate: new Date(now()),
        });
        if (incarnation === undefined || payload.exp! > seconds() + FURTHEST_EXPIRY_SECONDS) return null;
        return { ...claimed, expiresAt: payload.exp! };
      } catch (error) {
        // jose has an error for each way in which a token can be wrong; to us and to the caller they are all one.
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/** Whose token it would be; null when it is of neither kind. */
function readClaims({ customerId, datasetId, aud, scope = "all" }: JWTPayload): Omit<TokenClaims, "expiresAt"> | null {
  if (typeof customerId !== "string" || (scope !== "read" && scope !== "all")) return null;
  if (aud === OPERATOR_AUDIENCE && datasetId === undefined) return { customerId, datasetId: null, scope };
  if (aud === undefined && isDatasetId(datasetId)) return { customerId, datasetId, scope };
  return null;
}

function isDatasetId(value: unknown): value is string {
  const { minLength, maxLength } = fieldLimits.datasetId;
  return typeof value === "string" && value.length >= minLength && value.length <= maxLength;
}

/** Three parts, each in the one spelling that its bytes have: a token changed in any character is another token. */
function isCanonical(token: string): boolean {
  const parts = token.split(".");
  return parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}
