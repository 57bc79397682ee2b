import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type ElicitRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { JsonValue } from "../../../core/canonical-json.ts";
import { McpFault } from "./mcp-fault.ts";
import type { McpElicitation, McpField, McpServerRequests } from "./types.ts";

/** Answers requests of the server. The SDK refuses those without a handler. `onRoots` = it has asked for its folder. */
export function answerRequests(client: Client, { ask, sample, root }: McpServerRequests, onRoots: () => void): void {
  if (ask) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
      const reply = await ask(readElicitation(params), signal);
      if (reply.action !== "accept") return { action: reply.action };
      return { action: "accept", content: { ...reply.content } as Record<string, string> };
    });
  }
  if (sample) {
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => {
      const messages = params.messages.map(({ role, content }) => {
        const blocks = Array.isArray(content) ? content : [content];
        const text = blocks.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
        return { role, text };
      });
      const { systemPrompt = "", maxTokens } = params;
      const { text, model } = await sample({ system: systemPrompt, messages, maxTokens }, signal);
      return { role: "assistant", model, content: { type: "text", text } };
    });
  }
  if (root !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => {
      onRoots();
      return { roots: [{ uri: root, name: "workspace" }] };
    });
  }
}

const pingLimitMs = 2_000;
/** The time that a server gets to adopt the folders it was told. */
const adoptMs = 100;

/**
 * Servers ask for the roots when the hands are shaken, and refuse everything in them until they have looked at the answer.
 * So the first call waits: a request before a ping has arrived when the ping is answered.
 */
export async function settleRoots(parts: {
  /** Whether the server has asked for the roots. */
  readonly wereAsked: () => boolean;
  readonly ping: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}): Promise<void> {
  const look = async (): Promise<void> => {
    try {
      await parts.ping(AbortSignal.any([parts.signal, AbortSignal.timeout(pingLimitMs)]));
    } catch (error) {
      // The server knows no ping or is gone: the call itself will show.
      if (!(error instanceof McpFault)) throw error;
    }
  };
  await look();
  if (!parts.wereAsked()) return;
  await pause(adoptMs);
  await look();
}

function readElicitation(params: ElicitRequest["params"]): McpElicitation {
  if (params.mode === "url") return { kind: "address", message: params.message, url: params.url };
  const { properties, required = [] } = params.requestedSchema;
  const fields = Object.entries(properties).map(([name, field]): McpField => {
    const usual = "default" in field && field.default !== undefined ? { usual: field.default as JsonValue } : {};
    const common = {
      name,
      title: field.title ?? field.description ?? name,
      required: required.includes(name),
      ...usual,
    };
    if (field.type === "array") {
      const { items } = field;
      const values = "enum" in items ? items.enum : items.anyOf.map((one) => one.const);
      return { ...common, type: "choices", values };
    }
    if ("enum" in field) return { ...common, type: "choice", values: field.enum };
    if ("oneOf" in field) return { ...common, type: "choice", values: field.oneOf.map((one) => one.const) };
    return { ...common, type: field.type, values: [] };
  });
  return { kind: "form", message: params.message, fields };
}
