import { hashJson } from "../../../core/canonical-json.ts";
import type { McpServer } from "./types.ts";

/** SHA-256 of where a server is: an approval is for this one, and not for another that takes its name. */
export function hashServer({ transport }: McpServer): string {
  const { kind } = transport;
  return kind === "http"
    ? hashJson({ kind, url: transport.url })
    : hashJson({
        kind,
        command: transport.command,
        args: [...transport.args],
        cwd: transport.cwd ?? "",
        walled: transport.sandbox !== undefined,
      });
}
