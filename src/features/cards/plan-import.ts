import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashJson, type JsonValue } from "../../core/canonical-json.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { CardImport } from "../../core/persona/cards/install-card.ts";
import { isTaken, makePersona, nameFolder } from "../../core/persona/cards/make-persona.ts";
import type { ReadCard } from "../../core/persona/cards/read-card.ts";
import type { PersonaFolders } from "../../core/persona/find-personas.ts";

type PlanResult =
  | { readonly kind: "planned"; readonly plan: CardImport }
  /** The same card was imported before, as it would be now. */
  | { readonly kind: "there"; readonly id: string }
  | { readonly kind: "refused"; readonly problem: string };

/**
 * Chooses the persona's id for a card sent in a chat. It never replaces another persona or rewritten text: only an unedited
 * import of the same card may get the card's instructions later.
 */
export function planImport(
  folders: PersonaFolders,
  read: Extract<ReadCard, { kind: "card" }>,
  prompts: boolean,
): PlanResult {
  const { card } = read;
  const result = makePersona(card, prompts);
  if (!result.ok) return { kind: "refused", problem: result.problem };
  const { made } = result;
  const digest = hashJson(card.raw as JsonValue);
  const name = nameFolder(card.name) || `card-${digest.slice(0, 8)}`;
  for (let number = 1; number <= maxNamesakes; number += 1) {
    const id = number === 1 ? name : `${name.slice(0, 60)}-${number}`;
    if (isTaken(folders, id)) continue;
    const folder = join(folders.own, id);
    if (!existsSync(folder)) return { kind: "planned", plan: { id, read, made } };
    if (!isCard(join(folder, "card.json"), digest)) continue;
    const soul = readText(join(folder, "soul.md"));
    if (soul === made.soul || !prompts) return { kind: "there", id };
    const plain = makePersona(card, false);
    if (plain.ok && soul === plain.made.soul) return { kind: "planned", plan: { id, read, made } };
  }
  return { kind: "refused", problem: `has the name of ${maxNamesakes} personas that are there already` };
}

const maxNamesakes = 99;

function isCard(file: string, digest: string): boolean {
  const value = parseJson(readText(file));
  return value !== undefined && hashJson(value as JsonValue) === digest;
}

/** "" where there is none. */
function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}
