import { makeVisible } from "../../core/persona/show-payload.ts";
import type { JsonObject } from "../../core/conversation.ts";
import type { ToolContext, ToolResult } from "../types.ts";
import { createCallClock } from "./call-clock.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpRequest } from "./connection/types.ts";
import type { PinBook } from "./pin-book.ts";
import type { ServerSlot } from "./server-slot.ts";
import { toToolResult } from "./to-tool-result.ts";

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

const longestProgress = 200;

/**
 * One call of one tool. What the server says of the tool now is compared first, also where it had to be started for this.
 * A call that may have reached it is sent again only if the operator says that the tool changes nothing.
 */
export async function callTool(
  slot: ServerSlot,
  book: PinBook,
  wanted: WantedCall,
  context: ToolContext,
): Promise<ToolResult> {
  const { name } = slot.server;
  const clock = createCallClock(wanted.timeoutMs, context.signal);
  // The start has a limit of its own.
  clock.pause();
  const onProgress: NonNullable<McpRequest["onProgress"]> = ({ done, total, message = "" }) => {
    clock.touch();
    const count = total === undefined ? String(done) : `${done}/${total}`;
    context.progress(makeVisible(`${message} ${count}`.trim().slice(0, longestProgress)).replaceAll(/\s+/g, " "));
  };

  async function send(): Promise<ToolResult> {
    // Before the server is started for it, and after that, which takes time.
    const before = await wanted.whyNotHere(context.session);
    if (before !== undefined) return { ok: false, error: before };
    const connection = await slot.connect(context.session, context.signal);
    const refusal = (await wanted.whyNotHere(context.session)) ?? findRefusal();
    if (refusal !== undefined) return { ok: false, error: refusal };
    clock.resume();
    try {
      const answer = await connection.callTool(wanted.tool, wanted.input, { signal: clock.signal, onProgress });
      slot.prove(context.session, connection);
      return toToolResult(answer);
    } catch (error) {
      const dead = error instanceof McpFault && ["session-gone", "not-sent", "lost", "login"].includes(error.kind);
      if (dead) await slot.drop(context.session, connection, error.message, error.kind === "login");
      throw error;
    } finally {
      clock.pause();
    }
  }

  function findRefusal(): string | undefined {
    const pinned = book.find(name, wanted.tool);
    if (slot.listed()?.has(wanted.tool) === false)
      return `The server ${name} has no tool ${wanted.tool} any more; nothing was called.`;
    if (pinned?.state === "trusted" && pinned.hash === wanted.pin) return undefined;
    return `What the server ${name} says of ${wanted.tool} is not what it was; nothing was called. The owner has to look at it: /mcp ${name}`;
  }

  try {
    return await slot.during(context.session, { context, clock }, async () => {
      try {
        return await send();
      } catch (error) {
        if (!mayRepeat(error) || context.signal.aborted) throw error;
        return await send();
      }
    });
  } catch (error) {
    if (!(error instanceof McpFault)) throw error;
    return { ok: false, error: describeFault(error) };
  } finally {
    clock.release();
  }

  function mayRepeat(error: unknown): boolean {
    if (!(error instanceof McpFault)) return false;
    return error.kind === "session-gone" || (error.kind === "lost" && wanted.readOnly);
  }

  function describeFault(fault: McpFault): string {
    const doubt = "It may or may not have happened. Tell the person so, and do not call it again by yourself.";
    const expired = clock.expired();
    if (expired !== undefined)
      return `The server ${name} ${expired} and was told to stop. ${wanted.readOnly ? "" : doubt}`.trim();
    switch (fault.kind) {
      case "refused":
        return `The server ${name} refused: ${fault.message}`;
      case "lost":
        return `The server ${name} was lost during the call (${fault.message}). ${wanted.readOnly ? "Nothing changed." : doubt}`;
      case "stopped":
      case "timeout":
        return "Stopped.";
      case "login":
        return `The server ${name} wants its owner to log in: /mcp login ${name}. Nothing was called.`;
      case "not-sent":
      case "session-gone":
        return `The server ${name} cannot be reached: ${fault.message}. Nothing was called.`;
    }
  }
}
