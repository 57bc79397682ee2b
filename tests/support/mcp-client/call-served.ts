import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

/** The envelope, which stands as structured content and as the first text. */
export interface ServedEnvelope {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly error?: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

export async function callServed(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<ServedEnvelope> {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: given });
  const envelope = structuredContent as ServedEnvelope;
  const [first] = content as readonly { readonly type: string; readonly text: string }[];
  const repeated = JSON.stringify(JSON.parse(first?.text ?? "null")) === JSON.stringify(envelope);
  if (!repeated || isError === envelope.ok)
    throw new Error(`the parts of the answer differ: ${JSON.stringify(content)}`);
  return envelope;
}
