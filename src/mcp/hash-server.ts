import { hashJson } from "../core/canonical-json.ts";
import type { McpServer } from "./types.ts";

/** SHA-256 of where a server is: a yes is for this one, and not for another that takes its name. */
export function hashServer({ way }: McpServer): string {
  const { kind } = way;
  return kind === "http"
    ? hashJson({ kind, url: way.url })
    : hashJson({
        kind,
        command: way.command,
        args: [...way.args],
        cwd: way.cwd ?? "",
        walled: way.sandbox !== undefined,
      });
}
