import { hostname } from "node:os";

const everyInterface: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** The address at which other processes reach the HTTP server; a loopback host serves only those of this machine. */
export function describeNodeAddress(host: string, port: number, machine = hostname()): string {
  const name = host.replace(/^\[|\]$/g, "");
  if (everyInterface.has(name)) return `http://${machine}:${port}`;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
