import type { PinnedTool } from "./pin-book.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

/** Why a pinned tool is blocked; undefined if it is not. */
export function describeQuarantine({ state, server, tool }: PinnedTool): string | undefined {
  switch (state) {
    case "corrupt":
      return `What is stored of ${tool} is damaged, so it is blocked. The owner can start over with: ${kurisuCommand} mcp remove ${server}`;
    case "quarantined":
      return `The server ${server} has changed what it says of ${tool}. It is blocked until the owner has looked at it: /mcp ${server}`;
    case "trusted":
      return undefined;
  }
}
