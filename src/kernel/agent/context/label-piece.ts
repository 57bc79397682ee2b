import type { Speaker } from "../../../core/conversation.ts";
import { toSender } from "../../../core/name-with-tag.ts";
import { joinSources, joinTaint } from "../../../core/taint.ts";
import type { PlacedMessage } from "../../../store/queries/transcript.ts";

const maxSpeakers = 50;

/** A summary has the worst taint of what it covers, and lists every speaker in it. */
export function labelPiece(piece: readonly PlacedMessage[]) {
  const speakers = new Map<string, Speaker>();
  for (const speaker of listSpeakers(piece).values()) {
    const { id, taint } = speaker;
    const before = speakers.get(id);
    speakers.set(id, { ...speaker, taint: joinTaint(taint, before?.taint ?? taint) });
  }
  return {
    taint: joinTaint("owner", ...piece.map(({ taint }) => taint)),
    sources: joinSources(...piece.map(({ message }) => ("sources" in message ? message.sources : undefined))),
    // With too many speakers to list, it counts as a stranger's for every reader.
    speakers:
      speakers.size > maxSpeakers ? [{ id: "*", name: "*", taint: "untrusted" as const }] : [...speakers.values()],
  };
}

/**
 * The author of each message, by position: its writer, or the person whose turn it was. A record outside of turns has
 * none.
 */
export function listSpeakers(piece: readonly PlacedMessage[]): ReadonlyMap<number, Speaker> {
  const askers = new Map<string, Speaker>();
  const speakers = new Map<number, Speaker>();
  const findOwn = ({ message, taint }: PlacedMessage): Speaker | undefined => {
    const said = message.role === "user" ? message : message.role === "note" ? message.of : undefined;
    return said && { ...toSender(said), taint };
  };
  for (const placed of piece) {
    const own = findOwn(placed);
    if (own !== undefined && placed.turn !== null) askers.set(placed.turn, own);
  }
  for (const placed of piece) {
    const { position, taint, turn } = placed;
    const own = findOwn(placed);
    if (own !== undefined) speakers.set(position, own);
    else if (turn !== null) speakers.set(position, askers.get(turn) ?? { id: "", name: "", taint });
  }
  return speakers;
}
