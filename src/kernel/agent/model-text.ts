import { type NamedAccount, nameWithTag } from "../../core/name-with-tag.ts";

/**
 * The one place where foreign text becomes part of a prompt. Nothing is removed: invisible characters, characters that
 * reverse the text direction, tokens of chat templates and copies of our own marks become visible escapes, which can be
 * read back as the same text.
 */

/** Characters that are invisible or reverse the text direction. U+FE0F only selects the emoji form. */
const unseen = String.raw`(?!\uFE0F)(?:\p{Cf}|\p{Cc}|\p{Cs}|[\u2028\u2029]|\p{Variation_Selector})`;

/** Prefixes of tokens that have a meaning in chat templates of models. */
const tokens = String.raw`<(?=[|｜]|\/?(?:s|bos|eos|pad|unk|tool|tools|tool_calls?|tool_response|tool_outputs?|function_calls?|function|invoke|think|start_of_turn|end_of_turn|system|assistant|user|human)>|\/?antml:|<\/?SYS>>)|\[(?=\/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\])`;

const inJson = new RegExp(`${unseen}|${tokens}`, "giu");

/** JSON for a prompt, with the same value. */
export function toModelJson(value: object): string {
  return JSON.stringify(value).replace(inJson, (found) =>
    Array.from(
      { length: found.length },
      (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** Line breaks and tabs are part of a text, and U+200D joins emoji. */
const layout = String.raw`(?![\n\t]|\r\n|(?<=\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)\u200D(?=\p{Extended_Pictographic}))`;
/** Our own marks: the block before a message, and a gateway record at the beginning of a line. */
const marks = String.raw`<(?=\/?context>)|(?<=^[^\S\n]*)\[(?=record\])`;
const inText = new RegExp(String.raw`\\(?=u\{)|${layout}${unseen}|${tokens}|${marks}`, "gimu");

/** Escapes a text for a prompt. */
export function toModelText(text: string): string {
  return text.replace(inText, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Prefixes every line with a mark of ours, so that none can pass for the beginning of something else. */
export function indentLines(text: string, mark = "  "): string {
  return text.replaceAll("\n", `\n${mark}`);
}

/** A name that a person chose, on one line and without the characters that we put around names. */
export function toModelName(name: string): string {
  const line = name
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .replaceAll(/[:：()（）]/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return toModelText(line.slice(0, 64).toWellFormed());
}

/** The speaker in a group: the name, and the tag that distinguishes people. */
export function toModelSender(sender: NamedAccount): string {
  return nameWithTag({ ...sender, name: toModelName(sender.name) });
}
