import type { InlineKeyboardButton, MessageEntity } from "@grammyjs/types";

/** One bubble of a chat. */
export interface Bubble {
  readonly from: "person" | "bot";
  readonly text: string;
  readonly entities?: readonly MessageEntity[];
  /** A file that came with it. */
  readonly file?: string;
  readonly keyboard?: readonly (readonly InlineKeyboardButton[])[];
  /** The label of the button that is being pressed. */
  readonly pressed?: string;
}

const tags: Readonly<Partial<Record<MessageEntity["type"], string>>> = {
  bold: "b",
  italic: "i",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
  expandable_blockquote: "blockquote",
  underline: "u",
  strikethrough: "s",
};

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Text with its entities, whose places count UTF-16 units as Telegram's do. */
function renderText(text: string, entities: readonly MessageEntity[] = []): string {
  const marks = entities.flatMap(({ length, offset, type }) => {
    const tag = tags[type];
    return tag === undefined
      ? []
      : [
          { at: offset, order: -length, html: `<${tag}>` },
          { at: offset + length, order: -Infinity, html: `</${tag}>` },
        ];
  });
  const sorted = marks.toSorted((one, other) => one.at - other.at || one.order - other.order);
  let html = "";
  let place = 0;
  for (const { at, html: mark } of sorted) {
    html += escape(text.slice(place, at)) + mark;
    place = at;
  }
  return (html + escape(text.slice(place))).replaceAll(
    /^(│ )([+-])(.*)$/gm,
    (_line, edge: string, sign: string, rest: string) =>
      `${edge}<span class="${sign === "+" ? "added" : "removed"}">${sign}${rest}</span>`,
  );
}

function renderBubble({ entities, file, from, keyboard = [], pressed, text }: Bubble): string {
  const name = file === undefined ? "" : `<div class="file"><span></span>${escape(file)}</div>`;
  const rows = keyboard.map((row) => {
    const buttons = row.map(
      ({ text: label }) => `<div class="button${label === pressed ? " pressed" : ""}">${escape(label)}</div>`,
    );
    return `<div class="row">${buttons.join("")}</div>`;
  });
  const words = text === "" ? "" : `<div class="words">${renderText(text, entities)}</div>`;
  return `<div class="message ${from}"><div class="bubble">${name}${words}</div>${rows.join("")}</div>`;
}

const style = `
  :root { --back: #dfe7ea; --bot: #fff; --person: #e3f6d3; --ink: #17212b; --soft: #6b7c88; --line: #3a8fd0; --button: #ffffffa8;
    --code: #0000000d; --added: #1a7f37; --removed: #b3261e; --pressed: #3a8fd0; --head: #fff; }
  :root[data-theme=dark] { --back: #0e1621; --bot: #182533; --person: #2b5278; --ink: #f1f5f8; --soft: #8a9aa8; --line: #6ab2f2;
    --button: #ffffff14; --code: #ffffff12; --added: #7ee2a0; --removed: #ff9a92; --pressed: #4c9bd9; --head: #17212b; }
  * { box-sizing: border-box; margin: 0; }
  body { background: transparent; color: var(--ink); font: 15px/1.5 "Noto Sans CJK SC", "Noto Sans", sans-serif; display: flex; gap: 18px;
    padding: 4px; width: max-content; }
  .phone { width: 432px; border-radius: 18px; overflow: hidden; background: var(--back); display: flex; flex-direction: column;
    box-shadow: 0 1px 4px #0003; }
  header { background: var(--head); padding: 12px 18px; display: flex; align-items: center; gap: 12px; font-weight: 600; }
  header i { width: 34px; height: 34px; border-radius: 50%; background: #a33b3b; color: #fff; display: grid; place-items: center; font-style: normal; }
  header small { display: block; font-weight: 400; color: var(--soft); font-size: 12px; line-height: 1.2; }
  main { padding: 14px 12px 16px; display: flex; flex-direction: column; gap: 9px; flex: 1; }
  .message { max-width: 96%; align-self: flex-start; }
  .message.person { align-self: flex-end; }
  .bubble { background: var(--bot); border-radius: 12px; padding: 7px 12px; }
  .person .bubble { background: var(--person); }
  .words { white-space: pre-wrap; overflow-wrap: anywhere; }
  .file { display: flex; gap: 10px; align-items: center; padding: 3px 0; color: var(--line); font-weight: 600; }
  .file span { width: 34px; height: 34px; border-radius: 50%; background: var(--line); }
  code, pre { font: 13px/1.5 "Noto Sans Mono CJK SC", "DejaVu Sans Mono", monospace; background: var(--code); border-radius: 5px; padding: 0 4px; }
  pre { padding: 6px 8px; margin: 4px 0; white-space: pre-wrap; }
  blockquote { border-left: 3px solid var(--line); background: var(--code); padding: 3px 8px; border-radius: 5px; }
  .added { color: var(--added); } .removed { color: var(--removed); }
  .row { display: flex; gap: 4px; margin-top: 4px; }
  .button { flex: 1; text-align: center; background: var(--button); border-radius: 9px; padding: 7px 4px; font-weight: 500; }
  .pressed { background: var(--pressed); color: #fff; outline: 3px solid color-mix(in srgb, var(--pressed) 35%, transparent); }
`;

/** A page that shows these moments of one chat, side by side. */
export function renderChat(
  moments: readonly (readonly Bubble[])[],
  { theme, title, under }: { readonly theme: "light" | "dark"; readonly title: string; readonly under: string },
): string {
  const head = `<header><i>K</i><div>${escape(title)}<small>${escape(under)}</small></div></header>`;
  const phones = moments.map(
    (bubbles) => `<div class="phone">${head}<main>${bubbles.map(renderBubble).join("")}</main></div>`,
  );
  return `<!doctype html><html data-theme="${theme}"><meta charset="utf-8"><style>${style}</style><body>${phones.join("")}</body></html>`;
}
