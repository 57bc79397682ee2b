import type { JsonObject } from "../core/conversation.ts";
import type { ToolContext, ToolResult } from "../tools/types.ts";
import type { PinBook } from "./pins/pin-book.ts";
import type { ServerSlot } from "./server-slot.ts";
import { toToolResult } from "./to-tool-result.ts";
import { useServer } from "./use-server.ts";

interface WantedCall {
  readonly tool: string;
  /** Of the definition the call was made by. */
  readonly pin: string;
  readonly input: JsonObject;
  /** The operator says that it changes nothing. */
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  /** Why the server cannot be used in a session now; undefined = it can. */
  readonly whyNotHere: (session: string) => Promise<string | undefined>;
}

/** One call of one tool. What the server says of the tool now is compared first, also where it had to be started for this. */
export async function callTool(
  slot: ServerSlot,
  book: PinBook,
  wanted: WantedCall,
  context: ToolContext,
): Promise<ToolResult> {
  const { name } = slot.server;
  const { readOnly, timeoutMs } = wanted;

  function refuse(): string | undefined {
    const pinned = book.find(slot.server, wanted.tool);
    if (slot.listed()?.has(wanted.tool) === false)
      return `The server ${name} has no tool ${wanted.tool} any more; nothing was called.`;
    if (pinned?.state === "trusted" && pinned.hash === wanted.pin) return undefined;
    return `What the server ${name} says of ${wanted.tool} is not what it was; nothing was called. The owner has to look at it: /mcp ${name}`;
  }

  const used = await useServer(
    slot,
    {
      readOnly,
      timeoutMs,
      whyNotHere: wanted.whyNotHere,
      refuse,
      send: (connection, request) => connection.callTool(wanted.tool, wanted.input, request),
    },
    context,
  );
  return used.ok ? toToolResult(used.value) : used;
}
