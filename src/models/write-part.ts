import type { BaseMessage } from "@langchain/core/messages";
import { HumanMessage } from "@langchain/core/messages";
import { inputKinds, type InputKind, type InputPart } from "../core/content-part.ts";

/** A content block. */
type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** The kinds of parts that a conversation shows the model. */
export function listInputs(messages: readonly BaseMessage[]): ReadonlySet<InputKind> {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return new Set(blocks.flatMap((block) => (isInputPart(block) ? [block.type] : [])));
}

/**
 * The conversation without parts of kinds that a model does not take. The text says that they were there, so that it
 * does not guess.
 */
export function fitParts(messages: readonly BaseMessage[], takes: ReadonlySet<InputKind>): BaseMessage[] {
  return messages.map((message) => {
    const { content } = message;
    if (!Array.isArray(content) || content.every((block) => !isInputPart(block) || takes.has(block.type)))
      return message;
    const left = new Set<InputKind>();
    const blocks = content.flatMap((block): Block[] => {
      if (!isInputPart(block)) return [block];
      if (takes.has(block.type)) return [block];
      left.add(block.type);
      return [];
    });
    const texts = left.size > 0 ? [{ type: "text", text: describeLeft(left) }] : [];
    const fitted = [...blocks, ...texts];
    const isText = fitted.every(({ type }) => type === "text");
    return new HumanMessage({
      content: isText ? fitted.map(({ text }) => String(text)).join("\n") : fitted,
    });
  });
}

const names = { image: "pictures", audio: "sounds", file: "documents" } as const;

function describeLeft(kinds: ReadonlySet<InputKind>): string {
  const what = inputKinds.filter((kind) => kinds.has(kind)).map((kind) => names[kind]);
  return `(The ${what.join(" and ")} are left out: this model does not take them. Say so instead of guessing.)`;
}

export function isInputPart(block: unknown): block is InputPart {
  const { type, data, mimeType } = block as { type?: unknown; data?: unknown; mimeType?: unknown };
  return inputKinds.some((kind) => kind === type) && typeof data === "string" && typeof mimeType === "string";
}
