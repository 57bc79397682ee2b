import { makeVisible } from "../core/persona/show-payload.ts";
import { createScrubber } from "../core/scrub-secrets.ts";
import { listWaySecrets } from "./list-transport-secrets.ts";
import type { McpServer } from "./types.ts";

/** The whole command line or the address, so that nothing in it can pose as anything else, but for the secrets in it. */
export function describeTransport(way: McpServer["way"]): string {
  const scrub = createScrubber(listWaySecrets(way));
  if (way.kind === "http") return makeVisible(scrub(new URL(way.url).href));
  const line = scrub([way.command, ...way.args].map(quote).join(" "));
  return makeVisible(way.sandbox === undefined ? line : `${line} [container]`);
}

function quote(part: string): string {
  return /^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", String.raw`'\''`)}'`;
}
