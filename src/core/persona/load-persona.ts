import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ConfigFault } from "../yaml-file.ts";
import { readYamlFile, readYamlText } from "../yaml-file.ts";
import { describeError } from "../errors.ts";
import { findJsonFault } from "../find-json-fault.ts";
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

/** Texts that are read in place of the files of these names. */
export type PersonaDrafts = Readonly<Record<string, string>>;

/**
 * Reads config/personas/<id>/. The folder's name is the id; soul.md must be there, lore.md may be left out.
 *
 * @param drafts Texts that the owner has not saved.
 */
export function loadPersona(
  folder: string,
  environment: Record<string, string | undefined>,
  drafts: PersonaDrafts = {},
): PersonaResult {
  const faults: ConfigFault[] = [];
  const file = join(folder, "persona.yaml");
  const draft = drafts["persona.yaml"];
  const yaml =
    draft === undefined
      ? readYamlFile(file, personaSchema, environment)
      : readYamlText(draft, file, personaSchema, environment);
  if (yaml.kind === "faulty") faults.push(...yaml.faults);
  if (yaml.kind === "missing") faults.push({ file, line: 1, column: 1, key: "", problem: "is missing" });
  if (yaml.kind === "read" && yaml.value.id !== basename(folder)) {
    faults.push({ file, line: 1, column: 1, key: "id", problem: `must be the folder's name, ${basename(folder)}` });
  }
  const read = (name: string): string => drafts[name] ?? readFileSync(join(folder, name), "utf8");
  const soul = readText(join(folder, "soul.md"), read, "required", faults);
  const lore = readText(join(folder, "lore.md"), read, "optional", faults);
  const voice = readVoice(join(folder, "voice.tsv"), read, faults);
  const lorebook = readBook(join(folder, "lorebook.json"), read, faults);
  if (yaml.kind !== "read" || faults.length > 0) return { kind: "faulty", faults };
  return { kind: "loaded", persona: { ...yaml.value, soul, lore, voice, lorebook } };
}

/** Longest voice.tsv, in characters: learning from it takes a second. */
const maxVoice = 200_000;

type ReadFile = (name: string) => string;

function readVoice(file: string, read: ReadFile, faults: ConfigFault[]): readonly LabelledReply[] {
  const text = readOptional(file, read, faults);
  const table = readReplyTable((text ?? "").slice(0, maxVoice));
  const fault = (line: number, problem: string) => faults.push({ file, line, column: 1, key: "", problem });
  if ((text ?? "").length > maxVoice) fault(1, `has ${text?.length ?? 0} characters; ${maxVoice} is the maximum`);
  if (table.kind === "read") return table.replies;
  fault(table.line, table.problem);
  return [];
}

/** Undefined when there is none, or it is faulty. */
function readBook(file: string, read: ReadFile, faults: ConfigFault[]): Lorebook | undefined {
  const text = readOptional(file, read, faults);
  if (text === undefined) return undefined;
  const book = readLorebook(parseJson(text));
  const at = { file, line: 1, column: 1, key: "" };
  const syntax = { disallowComments: true };
  if (book.kind === "refused") faults.push({ ...at, problem: book.problem, ...findJsonFault(text, syntax) });
  return book.kind === "refused" ? undefined : book.lorebook;
}

function readOptional(file: string, read: ReadFile, faults: ConfigFault[]): string | undefined {
  try {
    return read(basename(file));
  } catch (error) {
    const problem = `cannot be read: ${describeError(error)}`;
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") faults.push({ file, line: 1, column: 1, key: "", problem });
    return undefined;
  }
}

function readText(file: string, read: ReadFile, need: "required" | "optional", faults: ConfigFault[]): string {
  const fault = (problem: string): string => {
    faults.push({ file, line: 1, column: 1, key: "", problem });
    return "";
  };
  let text: string;
  try {
    text = read(basename(file)).trim();
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (missing && need === "optional") return "";
    return fault(missing ? "is missing" : `cannot be read: ${describeError(error)}`);
  }
  if (text === "" && need === "required") return fault("is empty");
  if (text.length > longestText) return fault(`has ${text.length} characters; ${longestText} is the most`);
  return text;
}
