import type { BaseMessage } from "@langchain/core/messages";
import { HumanMessage } from "@langchain/core/messages";
import { inputKinds, type InputKind, type InputPart } from "../core/content-part.ts";

/** A content block of the client's own. */
type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** The one form of a picture that both client libraries translate once. */
export function toImageAddress({ mimeType, data }: Pick<InputPart, "mimeType" | "data">): Block {
  return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
}

/** A part as OpenAI's chat completions want it; its client library passes the last two on as they are. */
export function writeChatPart(part: InputPart): Block {
  switch (part.type) {
    case "image":
      return toImageAddress(part);
    case "audio":
      return {
        type: "input_audio",
        input_audio: { data: part.data, format: part.mimeType.includes("wav") ? "wav" : "mp3" },
      };
    case "file": {
      const { filename } = part.metadata;
      return { type: "file", file: { filename, file_data: `data:${part.mimeType};base64,${part.data}` } };
    }
  }
}

/** The kinds of parts that a conversation shows the model. */
export function listInputs(messages: readonly BaseMessage[]): ReadonlySet<InputKind> {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return new Set(blocks.flatMap((block) => (isInputPart(block) ? [block.type] : [])));
}

/**
 * The conversation for one model: parts in its client's form, without those of kinds that it does not take. It is told that
 * they were there, so that it does not guess.
 */
export function fitParts(
  messages: readonly BaseMessage[],
  takes: ReadonlySet<InputKind>,
  write: (part: InputPart) => Block,
): BaseMessage[] {
  return messages.map((message) => {
    const { content } = message;
    if (!Array.isArray(content) || !content.some(isInputPart)) return message;
    const left = new Set<InputKind>();
    const blocks = content.flatMap((block): Block[] => {
      if (!isInputPart(block)) return [block];
      if (takes.has(block.type)) return [write(block)];
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

function isInputPart(block: unknown): block is InputPart {
  const { type, data, mimeType } = block as { type?: unknown; data?: unknown; mimeType?: unknown };
  return inputKinds.some((kind) => kind === type) && typeof data === "string" && typeof mimeType === "string";
}
