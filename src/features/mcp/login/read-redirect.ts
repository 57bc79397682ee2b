/** The answer of an authorization server, from the redirect. */
export interface LoginRedirect {
  readonly code?: string;
  readonly state?: string;
  /** The issuer that answers, if it says so (RFC 9207). */
  readonly issuer?: string;
  readonly error?: string;
}

export function readRedirectParameters(given: URLSearchParams): LoginRedirect {
  const [code, state, issuer, error] = ["code", "state", "iss", "error"].map((name) => given.get(name) ?? undefined);
  return {
    ...(code !== undefined && { code }),
    ...(state !== undefined && { state }),
    ...(issuer !== undefined && { issuer }),
    ...(error !== undefined && { error: error.replaceAll(/[^\w.-]/g, "?").slice(0, 60) }),
  };
}

/** Reads the pasted address that the browser was sent to, or only the code. */
export function readPastedRedirect(pasted: string): LoginRedirect {
  const url = /^https?:/i.test(pasted) ? URL.parse(pasted) : null;
  return url === null ? { code: pasted } : readRedirectParameters(url.searchParams);
}
