import { hashJson, type JsonValue } from "../core/canonical-json.ts";

/**
 * What an approval is bound to: the tool, its arguments with every default filled in, the session whose workspace it
 * acts on, the rules it was judged by, and the hosts it may reach, if any. SHA-256 of RFC 8785 JSON.
 */
export function hashCall(call: {
  readonly tool: string;
  readonly input: unknown;
  readonly session: string;
  readonly policy: string;
  readonly network?: readonly string[];
}): string {
  const { tool, session, policy, network = [] } = call;
  const reach = network.length > 0 ? { network: [...network] } : {};
  return hashJson({ tool, input: call.input as JsonValue, session, policy, ...reach });
}
