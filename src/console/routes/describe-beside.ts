import type { InboundMessage, OutboundMessage } from "../../channels/types.ts";
import { chooseMediaType } from "../../core/media-type.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { BesideRow } from "../../store/queries/beside-messages.ts";
import { maxName, toLine } from "../names/name-sessions.ts";
import type { FileView, MessageView } from "../views/chats-views.ts";
import { readBlocks, readPlain } from "./read-blocks.ts";

const maxText = 20_000;

/**
 * Inserts rows that are no part of the history (commands, notices, files) among the messages by time; a file goes above the
 * answer of its turn. The files of the console's own chats (`isOwn`) can be fetched.
 */
export function placeBeside(
  rows: readonly MessageView[],
  beside: readonly BesideRow[],
  { from, isOwn }: { readonly from: number; readonly isOwn: boolean },
): readonly MessageView[] {
  const placed = [...rows];
  for (const row of beside) {
    const view = describeBeside(row, isOwn);
    if (view === undefined) continue;
    const answer =
      view.files.length > 0 && row.turn !== null
        ? placed.findLastIndex(({ turn, who }) => turn === row.turn && who.kind === "her")
        : -1;
    const later = placed.findIndex(({ at }) => at > row.at);
    const place = answer >= 0 ? answer : later >= 0 ? later : placed.length;
    placed.splice(place, 0, { ...view, position: placed[place - 1]?.position ?? from });
  }
  return placed;
}

/** Undefined for an inbox row that is among the messages, is shown as a card, or was erased. */
function describeBeside(row: BesideRow, isOwn: boolean): Omit<MessageView, "position"> | undefined {
  const { at, direction, isWaiting, payload, seq, turn } = row;
  const common = { at, turn, steps: [], sources: [], ...(isWaiting && { isWaiting: true as const }) };
  if (direction === "in") {
    const message = JSON.parse(payload) as InboundMessage & { readonly erased?: true };
    // Its words were erased; the row stays, so that the platform's repeats are known.
    if (message.erased) return undefined;
    return {
      ...common,
      // Stored messages have ids above zero.
      id: -2 * seq,
      who: { kind: "person", name: toLine(message.sender.name, maxName) || toLine(message.sender.id, maxName) },
      blocks: readPlain(message.text.slice(0, maxText)),
      files: listAttached(message, isOwn),
    };
  }
  const message = JSON.parse(payload) as Partial<OutboundMessage>;
  const { error, file, kind, plain, preformatted, text = "" } = message;
  if (kind !== "notice" && kind !== "file" && error === undefined) return undefined;
  const words = text.slice(0, maxText).toWellFormed();
  const id = isOwn ? row.sentParts.at(-1) : undefined;
  return {
    ...common,
    id: -2 * seq - 1,
    who: { kind: "her" },
    blocks: preformatted
      ? [{ kind: "code", text: makeVisible(words) }]
      : plain === false
        ? readBlocks(words)
        : readPlain(words),
    files: file
      ? [
          {
            name: toLine(file.name, maxName),
            bytes: file.bytes,
            type: chooseMediaType(undefined, file.name),
            ...(id !== undefined && { id }),
          },
        ]
      : [],
  };
}

/** The files of a message, with the ids by which the console has them. */
export function listAttached(
  { attachments }: Pick<InboundMessage, "attachments">,
  isOwn: boolean,
): readonly FileView[] {
  return attachments.flatMap((attached): readonly FileView[] => {
    if (!("source" in attached)) return [];
    const { bytes = 0, mimeType, name = "", source } = attached;
    const id = isOwn ? source?.["id"] : undefined;
    return [
      {
        name: toLine(name, maxName),
        bytes,
        type: toLine(mimeType ?? "", maxName),
        ...(id !== undefined && { id }),
      },
    ];
  });
}
