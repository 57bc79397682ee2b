/** Headers that are for one connection only (RFC 9110, section 7.6.1), and what older clients send to proxies. */
export const hopHeaders: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
];
