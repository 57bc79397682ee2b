import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { listAlwaysOn, listInstructions } from "../../core/persona/cards/card-contents.ts";
import { findImportPlace, type ImportPlace } from "../../core/persona/cards/find-import-place.ts";
import { installCard, type CardImport } from "../../core/persona/cards/install-card.ts";
import { makePersona, nameFolder } from "../../core/persona/cards/make-persona.ts";
import { readCard } from "../../core/persona/cards/read-card.ts";
import type { PersonaFolders } from "../../core/persona/find-personas.ts";

/** A card that waits for the owner's answer. */
export interface ExaminedCard extends Pick<CardImport, "read" | "made"> {
  /** SHA-256 of the file. */
  readonly digest: string;
  /** "" where nothing is proposed. */
  readonly id: string;
  /** The proposed id is that of an earlier import. */
  readonly isThere: boolean;
}

type ExamineCardResult =
  | { readonly kind: "examined"; readonly card: ExaminedCard }
  | { readonly kind: "refused"; readonly problem: string };

export type InstallCardResult =
  | { readonly kind: "installed" }
  | { readonly kind: "gone" | "there" | Exclude<ImportPlace, "free" | "imported"> }
  | { readonly kind: "faulty" | "unwritable"; readonly problem: string };

interface CardDesk {
  /** Nothing is written. */
  examine(bytes: Buffer): Promise<ExamineCardResult>;
  /** Exactly the card that was examined under this digest. */
  install(
    digest: string,
    wanted: { readonly id: string; readonly instructions: boolean; readonly replace: boolean },
  ): InstallCardResult;
}

const keptMs = 10 * 60_000;
/** Entries that are in every prompt, and the characters of each: all of them are shown before the card is installed. */
const maxAlways = { entries: 50, length: 4_000 };
const tooMuchAlways = `has more in its lorebook that is always on than can be shown here; import it at the terminal: ${kurisuCommand} persona import FILE`;

const isTooMuchAlways = (entries: readonly { readonly content: string }[]): boolean =>
  entries.length > maxAlways.entries || entries.some(({ content }) => content.length > maxAlways.length);

const maxNamesakes = 99;

/** Keeps the newest card in memory, so that the bytes that were shown are the ones that are installed. */
export function createCardDesk(folders: () => PersonaFolders, clock: Clock): CardDesk {
  let kept: { readonly card: ExaminedCard; readonly at: number } | undefined;

  return {
    async examine(bytes) {
      kept = undefined;
      const read = await readCard(bytes);
      if (read.kind === "refused") return { kind: "refused", problem: read.problem };
      const result = makePersona(read.card, false);
      if (!result.ok) return { kind: "refused", problem: result.problem };
      if (isTooMuchAlways(listAlwaysOn(read.card))) return { kind: "refused", problem: tooMuchAlways };
      const digest = createHash("sha256").update(bytes).digest("hex");
      const card = { digest, read, made: result.made, ...proposeId(folders(), read.card.name, digest) };
      kept = { card, at: clock.now() };
      return { kind: "examined", card };
    },
    install(digest, { id, instructions, replace }) {
      if (kept === undefined || kept.card.digest !== digest || clock.now() - kept.at > keptMs) return { kind: "gone" };
      const { made: plain, read } = kept.card;
      const place = findImportPlace(folders(), id);
      if (place === "imported" && !replace) return { kind: "there" };
      if (place !== "free" && place !== "imported") return { kind: place };
      const takes = instructions && listInstructions(read.card).length > 0;
      const result = takes ? makePersona(read.card, true) : { ok: true as const, made: plain };
      if (!result.ok) return { kind: "faulty", problem: result.problem };
      const end = install(folders(), { id, read, made: result.made });
      if (end.kind === "installed") kept = undefined;
      return end;
    },
  };
}

function install(folders: PersonaFolders, card: CardImport): InstallCardResult {
  try {
    const problem = installCard(folders, card);
    return problem === "" ? { kind: "installed" } : { kind: "faulty", problem };
  } catch (error) {
    return { kind: "unwritable", problem: describeError(error) };
  }
}

/** The folder that the name gives: a free one, or that of an earlier import. */
function proposeId(folders: PersonaFolders, cardName: string, digest: string): Pick<ExaminedCard, "id" | "isThere"> {
  const name = nameFolder(cardName) || `card-${digest.slice(0, 8)}`;
  for (let number = 1; number <= maxNamesakes; number += 1) {
    const id = number === 1 ? name : `${name.slice(0, 60)}-${number}`;
    const place = findImportPlace(folders, id);
    if (place === "free" || place === "imported") return { id, isThere: place === "imported" };
  }
  return { id: "", isThere: false };
}
