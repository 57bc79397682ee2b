import { hashJson, type JsonValue } from "../core/canonical-json.ts";
import type { KnownTool } from "./types.ts";

/**
 * What an approval is bound to: the tool, its arguments with every default filled in, the session whose workspace it
 * acts on, the rules it was judged by, the hosts it may reach, if any, and what it would run in. SHA-256 of RFC 8785 JSON.
 */
export function hashCall(call: {
  readonly tool: string;
  readonly input: unknown;
  readonly session: string;
  readonly policy: string;
  readonly network?: readonly string[];
  /** What `Tool.binding` says; undefined for most tools. */
  readonly binding?: JsonValue | undefined;
}): string {
  const { tool, session, policy, binding = null, network = [] } = call;
  return hashJson({ tool, input: call.input as JsonValue, session, policy, network, binding });
}

/** The hash of a call as it would run at this moment. */
export async function hashCallNow(
  tool: KnownTool,
  call: {
    readonly input: unknown;
    readonly session: string;
    readonly policy: string;
    readonly network: readonly string[];
  },
): Promise<string> {
  return hashCall({ ...call, tool: tool.name, binding: await tool.binding?.(call.input, call) });
}
