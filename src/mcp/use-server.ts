import { makeVisible } from "../core/persona/show-payload.ts";
import type { ToolContext } from "../tools/types.ts";
import { createCallClock } from "./call-clock.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpConnection, McpRequest } from "./connection/types.ts";
import type { ServerSlot } from "./server-slot.ts";

/** `error` is one sentence for the model and people. */
type Used<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

interface Use<T> {
  /** The operator says, or the protocol does, that it changes nothing: then it is sent again after a loss. */
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  /** Why the server cannot be used in a session; undefined = it can. */
  readonly whyNotHere: (session: string) => Promise<string | undefined>;
  /** Why it must not be sent to the server as that is now; asked when there is a connection. */
  readonly refuse?: () => string | undefined;
  readonly send: (connection: McpConnection, request: McpRequest) => Promise<T>;
}

const longestProgress = 200;

/**
 * One request to a server that a call is about, within its time and with the person of the call behind it. What may have
 * reached the server is sent again only if it changes nothing.
 */
export async function useServer<T>(slot: ServerSlot, use: Use<T>, context: ToolContext): Promise<Used<T>> {
  const { name } = slot.server;
  const { readOnly } = use;
  const clock = createCallClock(use.timeoutMs, context.signal);
  // The start has a limit of its own.
  clock.pause();
  const onProgress: NonNullable<McpRequest["onProgress"]> = ({ done, total, message = "" }) => {
    clock.touch();
    const count = total === undefined ? String(done) : `${done}/${total}`;
    context.progress(makeVisible(`${message} ${count}`.trim().slice(0, longestProgress)).replaceAll(/\s+/g, " "));
  };

  async function send(): Promise<Used<T>> {
    // Before the server is started for it, and after that, which takes time.
    const before = await use.whyNotHere(context.session);
    if (before !== undefined) return { ok: false, error: before };
    const connection = await slot.connect(context.session, context.signal);
    const refusal = (await use.whyNotHere(context.session)) ?? use.refuse?.();
    if (refusal !== undefined) return { ok: false, error: refusal };
    clock.resume();
    try {
      const value = await use.send(connection, { signal: clock.signal, onProgress });
      slot.prove(context.session, connection);
      return { ok: true, value };
    } catch (error) {
      const dead =
        error instanceof McpFault && ["session-gone", "not-sent", "lost", "login", "rights"].includes(error.kind);
      if (dead) await slot.drop(context.session, connection, error.message, ["login", "rights"].includes(error.kind));
      throw error;
    } finally {
      clock.pause();
    }
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
    return error.kind === "session-gone" || (error.kind === "lost" && readOnly);
  }

  function describeFault(fault: McpFault): string {
    const doubt = "It may or may not have happened. Tell the person so, and do not call it again by yourself.";
    const expired = clock.expired();
    if (expired !== undefined)
      return `The server ${name} ${expired} and was told to stop. ${readOnly ? "" : doubt}`.trim();
    switch (fault.kind) {
      case "refused":
        return `The server ${name} refused: ${fault.message}`;
      case "lost":
        return `The server ${name} was lost during the call (${fault.message}). ${readOnly ? "Nothing changed." : doubt}`;
      case "stopped":
      case "timeout":
        return "Stopped.";
      case "login":
        return `The server ${name} wants its owner to log in: /mcp login ${name}. Nothing was called.`;
      case "rights":
        return `The server ${name} did not do it: ${fault.message}. Its owner has to log in again for that: /mcp login ${name}.`;
      case "not-sent":
      case "session-gone":
        return `The server ${name} cannot be reached: ${fault.message}. Nothing was called.`;
    }
  }
}
