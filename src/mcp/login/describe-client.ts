/** Who we are, for a server that people log in at (RFC 7591); with our address as the name it is the document of SEP-991. */
export function describeClient(redirects: readonly string[]) {
  return {
    client_name: "Kurisu",
    redirect_uris: [...redirects],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}
