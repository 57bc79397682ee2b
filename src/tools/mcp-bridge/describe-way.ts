import { makeVisible } from "../../core/persona/show-payload.ts";
import type { McpServer } from "./types.ts";

/** The whole command line or the address, so that nothing in it can pose as anything else. No secrets: those stand in env and headers. */
export function describeWay(way: McpServer["way"]): string {
  if (way.kind === "http") return makeVisible(new URL(way.url).href);
  const line = [way.command, ...way.args].map(quote).join(" ");
  return makeVisible(way.sandbox === undefined ? line : `${line} [container]`);
}

function quote(part: string): string {
  return /^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", String.raw`'\''`)}'`;
}
