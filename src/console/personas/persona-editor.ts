import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import { cardOfPersona } from "../../core/persona/cards/card-of-persona.ts";
import { asidePrefix } from "../../core/persona/cards/install-card.ts";
import { listPersonaFolders, type PersonaFolders } from "../../core/persona/find-personas.ts";
import type { PersonaDrafts, PersonaResult } from "../../core/persona/load-persona.ts";
import { planUsualPersona } from "../../core/persona/plan-usual-persona.ts";
import type { Persona } from "../../core/persona/persona.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { buildSystemPrompt } from "../../core/persona/system-prompt.ts";
import { hashText, readStoredText } from "../../core/read-stored-text.ts";
import { writeConfigFile } from "../../core/write-config-file.ts";
import type {
  PersonaCheckView,
  PersonaFaultView,
  PersonaFileView,
  PersonaRefusalView,
  PersonaSavedView,
  PersonaTokensView,
  PersonaView,
} from "../views/persona-views.ts";
import { refuseSecrets } from "./refuse-secrets.ts";

/** All files of a persona that are text. */
export const personaFiles = ["persona.yaml", "soul.md", "lore.md", "voice.tsv", "lorebook.json"] as const;
export type PersonaFile = (typeof personaFiles)[number];

/** Shown even if they do not exist, so that the owner can begin one. */
const alwaysShown: readonly PersonaFile[] = ["persona.yaml", "soul.md", "lore.md"];

/** The live configuration, as far as the personas are concerned. */
export interface PersonaSource {
  now(): {
    readonly personaFolders: PersonaFolders;
    readonly persona: { readonly id: string };
    readonly readPersona: (folder: string, drafts?: PersonaDrafts) => PersonaResult;
  };
  /** The faults of the whole configuration with this text of a file of config/system. */
  check(replaced?: { readonly name: string; readonly text: string }): readonly string[];
  refusedFiles(): readonly string[];
  reload(): void;
  /** Takes the known secrets out. */
  scrub(text: string): string;
}

interface ListedPersona {
  readonly id: string;
  /** Absent of one with faults. */
  readonly persona: Persona | undefined;
  readonly faults: readonly PersonaFaultView[];
  readonly isShipped: boolean;
  readonly isUsual: boolean;
}

type WriteResult =
  | { readonly kind: "written"; readonly view: PersonaSavedView }
  | { readonly kind: "conflict"; readonly theirs: string; readonly was: string }
  | PersonaRefusalView;

/** Reads and writes the files of existing personas. Each answer is undefined for an unknown id. */
export function createPersonaEditor(source: PersonaSource) {
  const { scrub } = source;
  const find = (id: string): string | undefined => listPersonaFolders(source.now().personaFolders).get(id);
  const ownFolder = (): string => source.now().personaFolders.own;
  const read = (folder: string, drafts?: PersonaDrafts) =>
    refuseSecrets(source.now().readPersona(folder, drafts), folder, scrub);
  const hide = (text: string): string => makeVisible(scrub(text));

  function showFile(folder: string, name: PersonaFile): readonly PersonaFileView[] {
    const path = join(folder, name);
    if (!alwaysShown.includes(name) && lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
    const { fault, text, was } = readStoredText(path, "refuse");
    const shown = scrub(text);
    return [{ name, text: shown, was, isMasked: fault !== undefined || shown !== text }];
  }

  function open(id: string): PersonaView | undefined {
    const folder = find(id);
    if (folder === undefined) return undefined;
    const result = read(folder);
    return {
      id,
      files: personaFiles.flatMap((name) => showFile(folder, name)),
      faults: describeFaults(result, scrub),
      tokens: countTokens(result),
      isWritable: mayWrite(dirname(folder) === ownFolder() ? folder : ownFolder()),
    };
  }

  function check(id: string, drafts: PersonaDrafts): PersonaCheckView | undefined {
    const folder = find(id);
    if (folder === undefined) return undefined;
    const result = read(folder, drafts);
    return { faults: describeFaults(result, scrub), tokens: countTokens(result) };
  }

  /** Existing faults in other files do not stop the owner from editing this one. */
  function findBlocking(folder: string, name: PersonaFile, text: string): readonly PersonaFaultView[] {
    const known = new Set(describeFaults(read(folder), scrub).map((fault) => JSON.stringify(fault)));
    const faults = describeFaults(read(folder, { [name]: text }), scrub);
    const blocks = (fault: PersonaFaultView) => fault.place.file === name || !known.has(JSON.stringify(fault));
    return faults.some(blocks) ? faults : [];
  }

  function write(id: string, name: PersonaFile, text: string, was: string): WriteResult | undefined {
    const folder = find(id);
    if (folder === undefined) return undefined;
    const stored = readStoredText(join(folder, name), "refuse");
    if (stored.was !== was) return { kind: "conflict", theirs: scrub(stored.text), was: stored.was };
    if (stored.fault !== undefined) return { kind: "unwritable", reason: hide(stored.fault) };
    if (scrub(text) !== text || scrub(stored.text) !== stored.text) return { kind: "secret" };
    const faults = findBlocking(folder, name, text);
    if (faults.length > 0) return { kind: "faults", faults };
    const own = ownFolder();
    const isCopied = dirname(folder) !== own;
    try {
      if (isCopied) copyPersona(folder, own, { id, name, text });
      else writeConfigFile(join(folder, name), text);
    } catch (error) {
      return { kind: "unwritable", reason: hide(describeError(error)) };
    }
    source.reload();
    const now = describeFaults(read(join(own, id)), scrub);
    const isInForce = now.length === 0 && source.refusedFiles().length === 0;
    const view = { was: hashText(text), state: isInForce ? "in-force" : "refused", faults: now, isCopied } as const;
    return { kind: "written", view };
  }

  /** "" = done. */
  function chooseUsual(id: string): string | undefined {
    const folder = find(id);
    if (folder === undefined) return undefined;
    const [fault] = describeFaults(read(folder), scrub);
    if (fault !== undefined) return `${fault.place.file}:${fault.place.line}:${fault.place.column} ${fault.text}`;
    const planned = planUsualPersona(source.now().personaFolders, id);
    if (planned.kind === "refused") return planned.problem;
    const [problem] = source.check({ name: "channels", text: planned.text });
    if (problem !== undefined) return hide(problem);
    try {
      writeConfigFile(planned.file, planned.text);
    } catch (error) {
      return hide(describeError(error));
    }
    source.reload();
    return "";
  }

  return {
    list(): readonly ListedPersona[] {
      const { persona: usual, personaFolders } = source.now();
      return [...listPersonaFolders(personaFolders)].map(([id, folder]) => {
        const result = read(folder);
        return {
          id,
          persona: result.kind === "loaded" ? result.persona : undefined,
          faults: describeFaults(result, scrub),
          isShipped: dirname(folder) !== personaFolders.own,
          isUsual: id === usual.id,
        };
      });
    },
    open,
    check,
    write,
    chooseUsual,
    /** The card; a text is why there is none. */
    async exportCard(id: string, format: "png" | "json"): Promise<Buffer | string | undefined> {
      const folder = find(id);
      if (folder === undefined) return undefined;
      const result = read(folder);
      if (result.kind === "faulty") return "The persona has faults: mend them first.";
      try {
        const json = await cardOfPersona(folder, result.persona, { format: "json", version: 3 });
        if (scrub(json.toString()) !== json.toString()) return "There is a secret in it.";
        return format === "json" ? json : await cardOfPersona(folder, result.persona, { format, version: 3 });
      } catch (error) {
        if (error instanceof AppError && error.code === "PERSONA_REFUSED") return hide(error.message);
        throw error;
      }
    },
  };
}

/** A missing folder counts as writable if its parent is, where it can be made. */
function mayWrite(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && mayWrite(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The faults of a persona, each with its place; without a known secret. */
function describeFaults(result: PersonaResult, scrub: (text: string) => string): readonly PersonaFaultView[] {
  if (result.kind === "loaded") return [];
  return result.faults.map(({ column, file, key, line, problem }) => ({
    place: { file: basename(file), line, column },
    text: makeVisible(scrub(key === "" ? problem : `${key}: ${problem}`)),
  }));
}

function countTokens(result: PersonaResult): readonly PersonaTokensView[] {
  if (result.kind === "faulty") return [];
  const { persona } = result;
  return persona.languages.map((language) => ({
    language,
    tokens: estimateTokens(buildSystemPrompt(persona, { language })),
  }));
}

/** Copies a persona into the folder of the operator's own, with one file changed. The copy appears whole or not at all. */
function copyPersona(
  folder: string,
  own: string,
  { id, name, text }: { readonly id: string; readonly name: string; readonly text: string },
): void {
  mkdirSync(own, { recursive: true });
  // The next import of a card sweeps a folder that a stop left behind.
  const aside = mkdtempSync(join(own, asidePrefix));
  try {
    cpSync(folder, join(aside, id), { recursive: true });
    writeConfigFile(join(aside, id, name), text);
    renameSync(join(aside, id), join(own, id));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
