import { workToolWords } from "./words.ts";
import { z } from "zod";
import { formatByteSize } from "../../core/byte-size.ts";
import type { Language } from "../../core/conversation.ts";
import { toSafeFileName } from "../../core/safe-file-name.ts";
import type { FileDelivered, FileDelivery } from "../../kernel/outbox/file-delivery.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { ToolOptions } from "../../kernel/tools/tool-options.ts";
import type { Tool, ToolResult } from "../../kernel/tools/types.ts";
import type { BytesFound, FileAnswer, Workspace } from "../../workspace/types.ts";
import { workspacePath } from "../../workspace/workspace-path.ts";

const input = z.strictObject({
  path: workspacePath.describe("Path relative to the workspace."),
  caption: z.string().max(1000).default("").describe("Shown with the file."),
});

type SendFileInput = z.infer<typeof input>;

/** Sends a file of the workspace to the chat. */
export function createSendFileTool(
  parts: {
    readonly workspace: Workspace;
    readonly delivery: FileDelivery;
  } & Pick<ToolOptions, "maxBytes">,
): Tool<SendFileInput> {
  const { workspace, delivery } = parts;

  async function readFile(path: string, session: string): Promise<FileAnswer<BytesFound>> {
    const limit = Math.min(delivery.limitFor(session), parts.maxBytes ?? Infinity);
    const found = await workspace.readBytes(session, path, limit);
    if (!found.ok) return { ok: false, error: `${found.error} Files of at most ${formatByteSize(limit)} can be sent.` };
    return found.bytes.length === 0 ? { ok: false, error: `"${found.path}" is empty; nothing can be sent.` } : found;
  }

  return defineTool({
    name: "send_file",
    kind: "send",
    description: {
      zh: "把工作区里的一个文件发到当前聊天。路径相对于工作区，例如 out/report.pdf；caption 是随文件显示的一句话。",
      en: "Send a file of the workspace to this chat. The path is relative to the workspace, such as out/report.pdf; caption is a line shown with the file.",
    },
    input,
    level: "confirm",
    safeInOwnChat: true,
    readOnly: false,
    // The row in the outbox is the call's own, so a second run finds it.
    idempotent: true,
    timeoutMs: 60_000,
    place: "gateway",
    summarize: ({ path }) => path,
    async inspect(input, place) {
      const found = await readFile(input.path, place.session);
      return found.ok ? { ok: true, detail: describe(input, found, place) } : found;
    },
    async run(input, context) {
      const { session, turn, call, chatKind, language, shown, signal } = context;
      const outcome = await delivery.deliver({
        session,
        turn,
        call,
        caption: input.caption,
        signal,
        async read() {
          const found = await readFile(input.path, session);
          if (!found.ok) return found;
          // The approval covers only the bytes that were shown.
          if (shown !== undefined && shown !== describe(input, found, { chatKind, language })) {
            return { ok: false, error: `"${found.path}" has changed since it was asked for; ask once more.` };
          }
          return { ok: true, name: nameOf(found.path), content: found.bytes, sha256: found.version };
        },
      });
      return toResult(outcome);
    },
  });
}

const nameOf = (path: string): string => toSafeFileName(path.slice(path.lastIndexOf("/") + 1), "file");

/** The file as it would be sent, byte for byte, and where to. */
function describe({ caption }: SendFileInput, { path, bytes, version }: BytesFound, place: Place): string {
  const size = `${formatByteSize(bytes.length)} (${bytes.length} B), SHA-256 ${version.slice(0, 16)}`;
  const target =
    place.chatKind === "group" ? workToolWords[place.language].toGroup : workToolWords[place.language].toChat;
  return [path, size, target, ...(caption === "" ? [] : ["", caption])].join("\n");
}

interface Place {
  readonly chatKind?: "private" | "group" | undefined;
  readonly language: Language;
}

function toResult(outcome: FileDelivered): ToolResult {
  switch (outcome.kind) {
    case "sent":
      return { ok: true, output: { message_id: outcome.messageId }, message: `message ${outcome.messageId}` };
    case "queued":
      return { ok: true, output: { status: "queued", note: "It goes out by itself as soon as the chat takes it." } };
    case "doubtful":
      return {
        ok: false,
        error: "It may have arrived or not. Ask the person to look; do not send it again by yourself.",
      };
    case "refused":
      return { ok: false, error: outcome.reason };
  }
}
