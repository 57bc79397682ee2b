/** Normalizes case, the root dot and default ports. */
export function simplifyHost(host: string): string {
  const [name = "", port = ""] = host.toLowerCase().split(/:(?=\d*$)/);
  const plain = name.endsWith(".") ? name.slice(0, -1) : name;
  return port === "" || port === "443" || port === "80" ? plain : `${plain}:${port}`;
}
