import { diffLines } from "diff";
import type { PinnedTool } from "./pin-book.ts";
import type { McpDefinition } from "../servers/types.ts";

type Quarantined = Extract<PinnedTool, { readonly state: "quarantined" }>;

/** The differences line by line, with hidden characters shown. A tool that was never trusted is shown whole. */
export function describeDifference({ definition, pending }: Quarantined): string {
  const now = toText(pending);
  if (definition === undefined) return now;
  return diffLines(`${toText(definition)}\n`, `${now}\n`)
    .flatMap(({ added, removed, value }) =>
      value
        .trimEnd()
        .split("\n")
        .map((line) => `${added ? "+" : removed ? "-" : " "} ${line}`),
    )
    .join("\n");
}

/** The first characters of the hash: enough to say which definition was looked at. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12);
}

function toText({ name, description, inputSchema, annotations }: McpDefinition): string {
  const rest = JSON.stringify({ inputSchema, annotations }, null, 2);
  return `name: ${name}\ndescription: ${description}\n${rest}`;
}
