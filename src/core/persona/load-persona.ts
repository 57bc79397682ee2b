import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ConfigFault } from "../yaml-file.ts";
import { readYamlFile } from "../yaml-file.ts";
import { describeError } from "../errors.ts";
import { parseJson } from "../parse-json.ts";
import type { Lorebook } from "./lorebook/lorebook.ts";
import { readLorebook } from "./lorebook/read-lorebook.ts";
import type { Persona } from "./persona.ts";
import { personaSchema } from "./persona.ts";
import { readReplyTable, type LabelledReply } from "./tone/reply-table.ts";

export type PersonaResult =
  | { readonly kind: "loaded"; readonly persona: Persona }
  | { readonly kind: "faulty"; readonly faults: readonly ConfigFault[] };

/** Longest soul.md or lore.md, in characters; more would crowd out the conversation in every prompt. */
export const longestText = 12_000;

/** Reads config/personas/<id>/. The folder's name is the id; soul.md must be there, lore.md may be left out. */
export function loadPersona(folder: string, environment: Record<string, string | undefined>): PersonaResult {
  const faults: ConfigFault[] = [];
  const file = join(folder, "persona.yaml");
  const yaml = readYamlFile(file, personaSchema, environment);
  if (yaml.kind === "faulty") faults.push(...yaml.faults);
  if (yaml.kind === "missing") faults.push({ file, line: 1, column: 1, key: "", problem: "is missing" });
  if (yaml.kind === "read" && yaml.value.id !== basename(folder)) {
    faults.push({ file, line: 1, column: 1, key: "id", problem: `must be the folder's name, ${basename(folder)}` });
  }
  const soul = readText(join(folder, "soul.md"), "required", faults);
  const lore = readText(join(folder, "lore.md"), "optional", faults);
  const voice = readVoice(join(folder, "voice.tsv"), faults);
  const lorebook = readBook(join(folder, "lorebook.json"), faults);
  if (yaml.kind !== "read" || faults.length > 0) return { kind: "faulty", faults };
  return { kind: "loaded", persona: { ...yaml.value, soul, lore, voice, lorebook } };
}

/** Longest voice.tsv, in characters: learning from it takes a second. */
const maxVoice = 200_000;

function readVoice(file: string, faults: ConfigFault[]): readonly LabelledReply[] {
  const text = readOptional(file, faults);
  const table = readReplyTable((text ?? "").slice(0, maxVoice));
  const fault = (line: number, problem: string) => faults.push({ file, line, column: 1, key: "", problem });
  if ((text ?? "").length > maxVoice) fault(1, `has ${text?.length ?? 0} characters; ${maxVoice} is the maximum`);
  if (table.kind === "read") return table.replies;
  fault(table.line, table.problem);
  return [];
}

/** Undefined when there is none, or it is faulty. */
function readBook(file: string, faults: ConfigFault[]): Lorebook | undefined {
  const text = readOptional(file, faults);
  if (text === undefined) return undefined;
  const read = readLorebook(parseJson(text));
  if (read.kind === "refused") faults.push({ file, line: 1, column: 1, key: "", problem: read.problem });
  return read.kind === "refused" ? undefined : read.lorebook;
}

function readOptional(file: string, faults: ConfigFault[]): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const problem = `cannot be read: ${describeError(error)}`;
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") faults.push({ file, line: 1, column: 1, key: "", problem });
    return undefined;
  }
}

function readText(file: string, need: "required" | "optional", faults: ConfigFault[]): string {
  const fault = (problem: string): string => {
    faults.push({ file, line: 1, column: 1, key: "", problem });
    return "";
  };
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (missing && need === "optional") return "";
    return fault(missing ? "is missing" : `cannot be read: ${describeError(error)}`);
  }
  if (text === "" && need === "required") return fault("is empty");
  if (text.length > longestText) return fault(`has ${text.length} characters; ${longestText} is the most`);
  return text;
}
