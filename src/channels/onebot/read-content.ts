import type { Attachment } from "../attachment.ts";
import { readLabel } from "../json-view.ts";
import { readAttachment } from "./read-attachment.ts";
import type { Segment } from "./segment.ts";
import { readId } from "./wire-id.ts";

/** The parts of a message. */
export interface Content {
  /** Without our own mention; other mentions are `@name`. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mentionsUs: boolean;
  /** The message it quotes; `unknown` when it quotes one whose id is not given. */
  readonly quotedId: string | undefined;
  readonly forwarded: boolean;
}

/** More than any human writes; a sender of frames of many megabytes must not fill the store with them. */
const maxTextLength = 32_000;
const maxAttachments = 50;

const leadingRest = /^[\s\u200B-\u200D\uFEFF,，:：、]+/;

export function readContent(segments: readonly Segment[], account: string): Content {
  let text = "";
  let mentionsUs = false;
  let afterOurs = false;
  let quotedId: string | undefined;
  const attachments: Attachment[] = [];
  for (const segment of segments) {
    const { type, data } = segment;
    switch (type) {
      case "text":
        text += joinWords(text, data["text"] ?? "", afterOurs);
        break;
      case "at":
        if (readId(data["qq"]) === account) mentionsUs = true;
        else text += nameMention(data);
        break;
      case "reply":
        quotedId ??= readQuotedId(data["id"]);
        break;
      default:
        attachments.push(readAttachment(segment));
    }
    if (type !== "reply") afterOurs = type === "at" && readId(data["qq"]) === account;
  }
  return {
    text: tidy(text, mentionsUs),
    attachments: attachments.slice(0, maxAttachments),
    mentionsUs,
    quotedId,
    forwarded: segments.some(({ type }) => type === "forward" || type === "node"),
  };
}

/** QQ puts a space behind a mention; where ours is taken out, one space is left between two words. */
function joinWords(before: string, text: string, afterOurs: boolean): string {
  if (!afterOurs) return text;
  if (/\S/.test(before.at(-1) ?? "")) return text;
  return before === "" ? text.replace(leadingRest, "") : text.replace(/^ /, "");
}

function nameMention(data: Segment["data"]): string {
  if (data["qq"] === "all") return "@全体成员";
  const name = readLabel(data["name"], 60).replace(/^@/, "");
  return `@${name || readLabel(data["qq"], 20)}`;
}

/** A quote without a usable id is still one: its message must not pass for one that quotes nothing. */
function readQuotedId(id: string | undefined): string {
  const read = readId(id);
  return read === undefined || read === "0" ? "unknown" : read;
}

function tidy(text: string, mentionsUs: boolean): string {
  // PostgreSQL cannot store NUL, and half a surrogate pair is no character.
  const clean = text.slice(0, maxTextLength).replaceAll("\0", "").toWellFormed();
  return mentionsUs ? clean.trim() : clean;
}
