import { hashJson, type JsonValue } from "../../core/canonical-json.ts";
import type { KnownTool } from "./types.ts";

/**
 * An approval is bound to these: the tool, its arguments with all defaults filled in, the session whose workspace it
 * uses, the rules it was judged by, the hosts it may reach, the operator's options for the tool, and the environment it
 * would run in. SHA-256 of RFC 8785 JSON.
 */
export function hashCall(call: {
  readonly tool: string;
  readonly input: unknown;
  readonly session: string;
  readonly policy: string;
  readonly network?: readonly string[];
  /** The result of `Tool.binding`; undefined for most tools. */
  readonly binding?: JsonValue | undefined;
  /** The operator's options of the tool; undefined for most. */
  readonly definition?: JsonValue | undefined;
}): string {
  const { tool, session, policy, binding = null, definition, network = [] } = call;
  const settings = definition === undefined ? {} : { definition };
  return hashJson({ tool, input: call.input as JsonValue, session, policy, network, binding, ...settings });
}

interface CallNow {
  readonly input: unknown;
  readonly session: string;
  readonly policy: string;
  readonly network: readonly string[];
}

/** Hashes a call as it would run now, and returns the environment that the tool reports. */
export async function bindCallNow(
  tool: KnownTool,
  call: CallNow,
): Promise<{ readonly hash: string; readonly binding?: JsonValue }> {
  const binding = await tool.binding?.(call.input, call);
  return {
    hash: hashCall({ ...call, tool: tool.name, binding, definition: tool.definition }),
    ...(binding !== undefined && { binding }),
  };
}
