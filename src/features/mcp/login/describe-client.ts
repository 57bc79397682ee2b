/** Our client metadata (RFC 7591), which is also the document of SEP-991. */
export function describeClient(redirects: readonly string[]) {
  return {
    client_name: "Kurisu",
    redirect_uris: [...redirects],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}
