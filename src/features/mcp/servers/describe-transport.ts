import { makeVisible } from "../../../core/persona/show-payload.ts";
import { createScrubber } from "../../../core/scrub-secrets.ts";
import { listTransportSecrets } from "./list-transport-secrets.ts";
import type { McpServer } from "./types.ts";

/** The whole command line or the address, so that nothing in it can pose as anything else, but for the secrets in it. */
export function describeTransport(transport: McpServer["transport"]): string {
  const scrub = createScrubber(listTransportSecrets(transport));
  if (transport.kind === "http") return makeVisible(scrub(new URL(transport.url).href));
  const line = scrub([transport.command, ...transport.args].map(quote).join(" "));
  return makeVisible(transport.sandbox === undefined ? line : `${line} [container]`);
}

function quote(part: string): string {
  return /^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", String.raw`'\''`)}'`;
}
