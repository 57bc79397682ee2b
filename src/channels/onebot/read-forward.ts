import { z } from "zod";
import type { Attachment } from "../attachment.ts";
import { readLabel } from "../json-view.ts";
import type { Account } from "./account.ts";
import { readContent } from "./read-content.ts";
import { readSegments } from "./read-segments.ts";

/** A merged forward in a message: the name it is read by, and what came with it at once (NapCat). */
interface Forward {
  readonly id: string | undefined;
  readonly content: readonly unknown[] | undefined;
}

/** Per message, whatever is nested in it. A forward may hold as much as its sender likes. */
const limits = { depth: 3, calls: 5, messages: 100, text: 8_000, segments: 200 };
const maxNameLength = 40;

const segment = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()).nullish().catch(null) });
const node = z.object({ type: z.literal("node"), data: z.record(z.string(), z.unknown()) });
const spoken = z.object({
  sender: z.object({ nickname: z.unknown().optional(), card: z.unknown().optional() }).catch({}),
  message: z.unknown().optional(),
  content: z.unknown().optional(),
});
const answer = z.object({ messages: z.unknown().optional(), message: z.unknown().optional() });

/** Merged forwards in a message as the implementation reports it: an event, or what `get_msg` and histories answer. */
export function listForwards(message: unknown): readonly Forward[] {
  return listSegments(message).flatMap(({ type, data }) => {
    if (type !== "forward") return [];
    const { id, content } = data ?? {};
    const name = typeof id === "string" || typeof id === "number" ? String(id).slice(0, 300) : undefined;
    return [{ id: name, content: Array.isArray(content) ? (content as readonly unknown[]) : undefined }];
  });
}

function listSegments(message: unknown): readonly z.output<typeof segment>[] {
  const items: unknown = typeof message === "string" ? readSegments(message) : message;
  if (!Array.isArray(items)) return [];
  return items.slice(0, limits.segments).flatMap((item: unknown) => segment.safeParse(item).data ?? []);
}

/**
 * The contents of merged forwards, one line a message: `name: words`, what is nested indented. They are other people's
 * words, regardless of the forwarding user. "" when nothing can be read.
 */
export async function readForwards(
  forwards: readonly Forward[],
  account: Account,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<string> {
  let [calls, messages] = [0, 0];
  const lines: string[] = [];

  async function open({ id, content }: Forward): Promise<readonly unknown[]> {
    if (content !== undefined && content.length > 0) return content;
    if (id === undefined || id === "" || calls >= limits.calls) return [];
    calls += 1;
    const asked = await account.link?.call("get_forward_msg", { [account.dialect.forwardId]: id }, timeoutMs, signal);
    const read = answer.safeParse(asked?.kind === "ok" ? asked.data : undefined).data;
    const list = read?.messages ?? read?.message;
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  }

  async function write(forward: Forward, depth: number): Promise<void> {
    const indent = "  ".repeat(depth);
    for (const item of await open(forward)) {
      if (messages >= limits.messages) {
        if (lines.at(-1) !== "…") lines.push("…");
        return;
      }
      messages += 1;
      const { name, content } = readEntry(item);
      const inner = listNested(content);
      const words = describe(content, account.id, inner.length > 0);
      lines.push(`${indent}${name}: ${words.replaceAll("\n", `\n${indent}  `)}`);
      if (depth + 1 < limits.depth) for (const one of inner) await write(one, depth + 1);
    }
  }

  for (const forward of forwards) await write(forward, 0);
  const text = lines.join("\n");
  return (text.length > limits.text ? `${text.slice(0, limits.text)}…` : text).toWellFormed();
}

/** go-cqhttp and LLBot answer `{sender, content}`, NapCat events, Lagrange nodes. */
function readEntry(item: unknown): { readonly name: string; readonly content: unknown } {
  const asNode = node.safeParse(item).data?.data;
  if (asNode !== undefined) {
    const name = readLabel(asNode["nickname"], maxNameLength) || readLabel(asNode["name"], maxNameLength);
    return { name: name || "?", content: asNode["content"] ?? asNode["message"] };
  }
  const { sender = {}, message, content } = spoken.safeParse(item).data ?? {};
  const name = readLabel(sender.card, maxNameLength) || readLabel(sender.nickname, maxNameLength);
  return { name: name || "?", content: message ?? content };
}

/** NapCat writes what is nested as nodes in a node, too. */
function listNested(content: unknown): readonly Forward[] {
  const nodes = listSegments(content).filter(({ type }) => type === "node");
  return [...listForwards(content), ...(nodes.length > 0 ? [{ id: undefined, content: nodes }] : [])];
}

function describe(content: unknown, account: string, isNested: boolean): string {
  const { text, attachments } = readContent(readSegments(content) ?? [], account);
  const beside = attachments.filter(({ kind }) => kind !== "forward").map(nameAttachment);
  return [text.trim(), ...beside, ...(isNested ? ["[聊天记录]"] : [])].filter((part) => part !== "").join(" ");
}

/** As QQ itself shows them in a forward. */
const names: Readonly<Record<Attachment["kind"], string>> = {
  file: "文件",
  image: "图片",
  voice: "语音",
  audio: "音频",
  video: "视频",
  animation: "动画表情",
  sticker: "表情",
  contact: "名片",
  location: "位置",
  poll: "投票",
  dice: "骰子",
  card: "卡片",
  forward: "聊天记录",
  share: "分享",
  music: "音乐",
  other: "",
};

function nameAttachment({ kind, name = "" }: Attachment): string {
  if (/^\[.*\]$/.test(name)) return name;
  return `[${[names[kind], name.slice(0, 60)].filter((part) => part !== "").join(" ")}]`;
}
