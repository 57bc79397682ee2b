import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createReplyCheck } from "../src/core/persona/check-reply.ts";
import type { Persona } from "../src/core/persona/persona.ts";
import { projectFolder } from "../src/core/project-folder.ts";

/** A reply with the turn around it, and the way in which it breaks the role; "none" = it does not. */
interface LabelledTurn {
  readonly kind: string;
  readonly reply: string;
  readonly last?: string;
  readonly lang: "zh" | "en" | "ja";
  readonly tools?: { readonly name: string; readonly ok: boolean }[];
}

/** Replies by writers who knew neither the examples that the tone is learnt from nor the checks. */
const file = join(projectFolder, "tests", "core", "persona", "unseen-replies.jsonl");

export interface Verdicts {
  /** By kind and language, `found` of `all` as breaks; of kind "none" these are false alarms. */
  readonly rows: readonly {
    readonly kind: string;
    readonly lang: string;
    readonly found: number;
    readonly all: number;
  }[];
  /** Those that were judged wrongly. */
  readonly wrong: readonly LabelledTurn[];
}

export function judgeUnseen(persona: Persona): Verdicts {
  const turns = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LabelledTurn);
  const check = createReplyCheck(persona);
  const judged = turns.map((turn) => ({ turn, found: check(turn).verdict === "break" }));
  const groups = Map.groupBy(judged, ({ turn }) => `${turn.kind} ${turn.lang}`);
  const rows = [...groups.values()].map((group) => ({
    kind: group[0]?.turn.kind ?? "",
    lang: group[0]?.turn.lang ?? "",
    found: group.filter(({ found }) => found).length,
    all: group.length,
  }));
  const wrong = judged.filter(({ turn, found }) => found === (turn.kind === "none")).map(({ turn }) => turn);
  return { rows, wrong };
}

/** The part of these rows that was found, 0 to 1. */
export function shareFound(rows: Verdicts["rows"]): number {
  const [found, all] = rows.reduce(([a, b], row) => [a + row.found, b + row.all], [0, 0]);
  return all === 0 ? 0 : found / all;
}

export function printVerdicts({ rows, wrong }: Verdicts): void {
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  const languages = ["zh", "en", "ja"];
  console.log(`| unseen replies judged as breaks | ${languages.join(" | ")} | all |\n|---|---|---|---|---|`);
  for (const kind of kinds) {
    const cells = languages.map((lang) => rows.find((row) => row.kind === kind && row.lang === lang));
    const all = shareFound(rows.filter((row) => row.kind === kind));
    const name = kind === "none" ? "in character (false alarms)" : kind;
    const counts = cells.map((cell) => (cell === undefined ? "" : `${cell.found} of ${cell.all}`));
    console.log(`| ${name} | ${counts.join(" | ")} | ${(100 * all).toFixed(1)} % |`);
  }
  console.log("");
  if (process.argv.includes("--wrong"))
    for (const { kind, lang, last = "", reply } of wrong)
      console.log(`${kind} ${lang} ${JSON.stringify([last, reply])}`);
}
