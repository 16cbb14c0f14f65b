/** Why a server cannot be reached, in words for whoever asks it. */

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at that address. Is the server running, and is this its port?",
  ConnectionRefused: "nothing listens at that address. Is the server running, and is this its port?",
  ENOTFOUND: "no machine of that name is known here.",
  EAI_AGAIN: "names cannot be looked up just now.",
  ECONNRESET: "the connection was closed before an answer came. Is that a Lectern server?",
  ConnectionClosed: "the connection was closed before an answer came. Is that a Lectern server?",
  EPIPE: "the connection was closed before an answer came. Is that a Lectern server?",
  EPROTO: "it does not speak https at that port. Should the address begin with http://?",
  ETIMEDOUT: "it does not answer.",
  EHOSTUNREACH: "there is no way to that machine.",
  ENETUNREACH: "there is no way to that network.",
  EADDRNOTAVAIL: "that is no address to connect to.",
  InvalidHTTPResponse: "what answers there does not speak HTTP.",
  Malformed_HTTP_Response: "what answers there does not speak HTTP.",
  CERT_HAS_EXPIRED: "its certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed; --ca FILE names one to trust.",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is self-signed; --ca FILE names one to trust.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is of an authority unknown here; --ca FILE names its certificate.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "its certificate is of an authority unknown here; --ca FILE names its certificate.",
  CERT_NOT_YET_VALID: "its certificate is not valid yet. Is the clock right?",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name.",
};

/** The end of a sentence, with its full stop. */
export function networkReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && Object.hasOwn(reasons, code)) return reasons[code]!;
  return `the connection failed (${code ?? message}).`;
}
