import { mcpWords } from "../words.ts";
import type { Language } from "../../../core/conversation.ts";
import { hashJson, type JsonValue } from "../../../core/canonical-json.ts";
import { makeVisible, showName } from "../../../core/persona/show-payload.ts";
import type { TellOwners } from "../../../kernel/outbox/tell-owners.ts";
import type { MCPBridge } from "../mcp-bridge.ts";
import type { McpDefinition } from "../servers/types.ts";
import { findOrder } from "./find-order.ts";

const maxLines = 8;
const maxFaultLength = 300;

/**
 * Shows owners once what servers say of themselves, and names those of `.mcp.json` that wait for approval or are left out. The
 * id of a notice has the pins, the entry or the fault in it, so a start does not repeat it. Until an owner is there, each call
 * tries again.
 */
export function createAnnounceNewServers(parts: {
  readonly bridge: Pick<MCPBridge, "listUnseen" | "listUnapproved">;
  /** Servers of the project's .mcp.json that cannot be had, one a line. */
  readonly leftOut: () => readonly string[];
  readonly tellOwners: TellOwners;
}): () => Promise<void> {
  const told = new Set<string>();

  async function tellOnce(id: string, say: Parameters<TellOwners>[1]): Promise<void> {
    if (told.has(id)) return;
    if ((await parts.tellOwners(id, say)) > 0) told.add(id);
  }

  return async () => {
    for (const { server, definitions } of parts.bridge.listUnseen()) {
      const id = `mcp.said.${server}.${hashJson(definitions as unknown as JsonValue).slice(0, 16)}`;
      await tellOnce(id, (_words, language) => describeNewServer(server, definitions, language));
    }
    for (const { server, digest } of parts.bridge.listUnapproved())
      await tellOnce(`mcp.project.${server}.${digest.slice(0, 16)}`, (_words, language) =>
        mcpWords[language].projectBrings(server),
      );
    const left = parts.leftOut();
    if (left.length === 0) return;
    const lines = left.slice(0, maxLines).map((line) => showName(line.slice(0, maxFaultLength)));
    const notice = { lines: lines.join("\n"), more: left.length - lines.length };
    await tellOnce(`mcp.left.${hashJson([...left]).slice(0, 16)}`, (_words, language) =>
      mcpWords[language].projectLeftOut(notice),
    );
  };
}

/** Tools that are shown one by one; those that look like orders come first. */
const maxShown = 12;
const maxLineLength = 160;

/**
 * The tools of a server in its own words, for the owner, in whose every turn that text stands. A text that
 * looks like an order is marked; an attacker who avoids the marks still meets the question before a strange address.
 */
export function describeNewServer(server: string, definitions: readonly McpDefinition[], language: Language): string {
  const tools = definitions.map((definition) => ({ definition, order: findOrder(definition) }));
  const sorted = tools.toSorted((a, b) => Number(b.order !== undefined) - Number(a.order !== undefined));
  const lines = sorted.slice(0, maxShown).map(({ definition: { name, description }, order }) => {
    const line = `${toLine(name)}: ${toLine(order ?? description)}`.slice(0, maxLineLength).toWellFormed();
    return `${order === undefined ? "·" : "⚠"} ${line}`;
  });
  const rest = definitions.length - lines.length;
  return [
    mcpWords[language].says(server),
    ...lines,
    ...(rest > 0 ? [mcpWords[language].saysMore({ server, count: rest })] : []),
    ...(tools.some(({ order }) => order !== undefined) ? [mcpWords[language].looksLikeOrder] : []),
    mcpWords[language].saysHow,
  ].join("\n");
}

function toLine(text: string): string {
  return makeVisible(text.slice(0, maxLineLength * 4))
    .replaceAll(/\s+/g, " ")
    .trim();
}
