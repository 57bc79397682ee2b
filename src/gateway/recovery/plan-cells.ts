import type { InboxItem } from "../../store/queries/inbox.ts";
import type { OutboxItem } from "../../store/queries/outbox.ts";
import type { Suspect } from "../../store/queries/suspects.ts";
import type { Cell } from "./quarantine.ts";
import { nameInbox, nameOutbox, nameSending } from "./work-record.ts";

const shortestMs = 3_000;
const longestMs = 600_000;

/**
 * In which order suspects run, and how long each has to itself: what kills late is found too, since the time doubles with
 * every death. Those that were alone least come first: kills from outside then never meet the same one again and again.
 */
export function planCells(
  suspects: ReadonlyMap<string, Suspect>,
  /** All that are unfinished, in the order they came. */
  items: readonly InboxItem[],
  messages: readonly OutboxItem[],
): readonly Cell[] {
  const aloneOf = ({ id }: { readonly id: string }) => suspects.get(nameInbox(id))?.alone ?? 0;
  const found = items.filter(({ id }) => suspects.has(nameInbox(id))).toSorted((a, b) => aloneOf(a) - aloneOf(b));
  const limitOf = (row: string) => Math.min(shortestMs * 2 ** ((suspects.get(row)?.deaths ?? 1) - 1), longestMs);
  const cells = [
    ...messages.map(({ id, session }) => ({ name: nameSending(session), limitMs: limitOf(nameOutbox(id)) })),
    // What came before it in its chat is answered before it, and alone too.
    ...found.flatMap((suspect) =>
      items
        .filter(({ seq, session }) => session === suspect.session && seq <= suspect.seq)
        .map(({ id }) => ({ name: nameInbox(id), limitMs: limitOf(nameInbox(id)) })),
    ),
  ];
  return [...new Map(cells.toReversed().map((cell) => [cell.name, cell])).values()].toReversed();
}
