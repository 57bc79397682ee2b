import { formatByteSize } from "../../core/byte-size.ts";
import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Attachment } from "../../channels/attachment.ts";
import type { HeardVoice, SavedFile } from "./heard-voice.ts";

/** The fate of a file that came with a message. */
export type ReceivedFile = SavedFile | { readonly kind: "lost"; readonly why: WhyLost };

export type WhyLost =
  | { readonly kind: "tooLarge" | "shareFull"; readonly limit: number }
  /** Guests cannot write to a group's disk. */
  | { readonly kind: "guest" }
  | { readonly kind: "tooMany"; readonly count: number }
  | { readonly kind: "workspaceFull" | "unavailable" | "stopped" }
  /** One line from the platform, the network or the workspace. */
  | { readonly kind: "failed"; readonly reason: string };

/** Attachments in a few words, such as `图片、文件 notes.txt`. */
export function nameAttachments(attachments: readonly Attachment[], words: Words): string {
  return attachments.map((attachment) => nameAttachment(attachment, words)).join("、");
}

/** For the model, one line each: the attachment, and where it was stored or why it was not. */
export function wordAttachments(
  attachments: readonly Attachment[],
  received: readonly (ReceivedFile | undefined)[],
  heard: readonly (HeardVoice | undefined)[],
  language: Language,
): string {
  const words = wordsFor(language);
  const lines = attachments.map((attachment, index) => {
    const name = nameAttachment(attachment, words);
    const file = received[index];
    if (attachment.kind === "sticker") return nameSticker(attachment, words);
    if (file === undefined) return `[${name}]`;
    const voice = heard[index];
    const note = voice?.kind === "unheard" ? voice.note(language) : "";
    return `[${name}: ${wordReceived(file, words)}${note}]`;
  });
  return lines.join("\n");
}

/** `[表情: 😀]`. QQ's names for its faces are in brackets already, or only say that it is a face. */
function nameSticker({ name = "" }: Attachment, words: Words): string {
  const kind = words.attachment.kinds.sticker;
  const inner = name.replaceAll(/[[\]]/g, "").trim();
  return inner === "" || inner === kind ? `[${kind}]` : `[${kind}: ${inner}]`;
}

function nameAttachment(attachment: Attachment, words: Words): string {
  const seconds = "seconds" in attachment ? attachment.seconds : undefined;
  const length = seconds === undefined ? "" : words.attachment.seconds({ seconds });
  // Brackets delimit the line for the model, so a stranger's name must not contain any.
  const name = (attachment.name ?? "").replaceAll("[", "(").replaceAll("]", ")");
  const kind = attachment.kind === "other" && name !== "" ? "" : words.attachment.kinds[attachment.kind];
  return [kind, name, length].filter((part) => part !== "").join(" ");
}

function wordReceived(file: ReceivedFile, words: Words): string {
  if (file.kind === "lost") return words.attachment.lost({ why: wordLoss(file.why, words) });
  return words.attachment.saved({ path: file.path, type: file.mimeType, size: formatByteSize(file.bytes) });
}

function wordLoss(why: WhyLost, { attachment }: Words): string {
  switch (why.kind) {
    case "tooLarge":
      return attachment.tooLarge({ limit: formatByteSize(why.limit) });
    case "tooMany":
      return attachment.tooMany({ count: why.count });
    case "shareFull":
      return attachment.shareFull({ limit: formatByteSize(why.limit) });
    case "guest":
    case "workspaceFull":
    case "unavailable":
    case "stopped":
      return attachment[why.kind];
    case "failed":
      return why.reason;
  }
}
