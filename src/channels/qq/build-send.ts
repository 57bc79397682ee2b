import type { Choice, OutboundMessage } from "../types.ts";
import { formatMarkdown } from "../markdown/format-markdown.ts";
import { renderText } from "../markdown/render-text.ts";
import { bracketAddresses, breakAddresses, type AddressBreak } from "./break-addresses.ts";
import { breakCommands, escapeForQq, writeMarkdown } from "./write-markdown.ts";

/** How a message goes, after what was refused before. */
export interface SendStyle {
  readonly isStyled: boolean;
  readonly isQuoted: boolean;
  readonly addresses: AddressBreak;
}

export interface MessageText {
  readonly message: OutboundMessage;
  readonly text: string;
  /** Plain texts that come before and behind it. */
  readonly before: readonly string[];
  readonly after?: string;
  readonly choices: readonly Choice[];
}

/** Whether Markdown makes any difference: buttons exist only below it. */
export function wantsStyle({ message, text, choices }: MessageText): boolean {
  return choices.length > 0 || (!message.plain && !message.question && formatMarkdown(text).entities.length > 0);
}

export function buildContent(whole: MessageText, style: SendStyle): object {
  const { choices } = whole;
  const content = writeContent(whole, style);
  if (!style.isStyled) return { msg_type: 0, content };
  return {
    msg_type: 2,
    markdown: { content },
    ...(choices.length > 0 && { keyboard: { content: { rows: buildRows(choices) } } }),
  };
}

function writeContent({ message, text, before, after, choices }: MessageText, style: SendStyle): string {
  const words = message.plain ? text.toWellFormed() : renderText(text);
  // A question is read by its marks, which precede each line as displayed.
  const isExact = message.question !== undefined;
  // Addresses are looked for in plain words: below Markdown they may be cut in two.
  const isWritten = style.isStyled && style.addresses === 0 && !message.plain && choices.length === 0 && !isExact;
  const rewrite = (part: string) =>
    isExact && style.addresses > 0 ? bracketAddresses(part) : breakAddresses(part, style.addresses);
  const around = (part: string) => (style.isStyled ? escapeForQq(rewrite(part)) : breakCommands(rewrite(part)));
  const body = isWritten ? writeMarkdown(formatMarkdown(text)) : around(words);
  const parts = [...before.map(around), body, ...(after === undefined ? [] : [around(after)])];
  const content = parts.filter((part) => part.trim() !== "").join("\n\n");
  // An empty message is refused.
  return content.trim() === "" ? "…" : content;
}

const buttonsInRow = 3;
/** Source: bot.q.qq.com/wiki, the keyboard of a message. */
const maxLabelLength = 10;
const everybody = 2;
const callback = 1;
const styles: Readonly<Record<Choice["style"], number>> = { approve: 4, reject: 3, plain: 0 };

/** QQ lets every member press: who may decide is checked here, where owners count too. */
function buildRows(choices: readonly Choice[]): readonly object[] {
  const buttons = choices.map(({ label, data, style }, index) => {
    const signs = Array.from(label.toWellFormed());
    const fits = signs.length <= maxLabelLength;
    const shown = fits
      ? signs.join("")
      : `${signs
          .slice(0, maxLabelLength - 1)
          .join("")
          .trimEnd()}…`;
    return {
      id: String(index + 1),
      render_data: { label: shown, visited_label: shown, style: styles[style] },
      action: { type: callback, permission: { type: everybody }, data, unsupport_tips: shown },
    };
  });
  const rows: object[] = [];
  for (let at = 0; at < buttons.length; at += buttonsInRow)
    rows.push({ buttons: buttons.slice(at, at + buttonsInRow) });
  return rows;
}
