import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";
import { cardOfPersona } from "../../core/persona/cards/card-of-persona.ts";
import { listPersonaFolders } from "../../core/persona/find-personas.ts";
import type { PersonaDrafts } from "../../core/persona/load-persona.ts";
import { planUsualPersona } from "../../core/persona/plan-usual-persona.ts";
import type { Persona } from "../../core/persona/persona.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { hashText, readStoredText } from "../../core/read-stored-text.ts";
import { writeConfigFile } from "../../core/write-config-file.ts";
import type {
  PersonaCheckView,
  PersonaFaultView,
  PersonaFileView,
  PersonaRefusalView,
  PersonaSavedView,
  PersonaView,
} from "../views/persona-views.ts";
import { copyPersona } from "./copy-persona.ts";
import { countTokens, describeFaults } from "./describe-personas.ts";
import type { PersonaSource } from "./persona-source.ts";
import { refuseSecrets } from "./refuse-secrets.ts";

/** All files of a persona that are text. */
export const personaFiles = ["persona.yaml", "soul.md", "lore.md", "voice.tsv", "lorebook.json"] as const;
export type PersonaFile = (typeof personaFiles)[number];

/** They are shown when they are not there, too, because the owner may want to begin one. */
const alwaysShown: readonly PersonaFile[] = ["persona.yaml", "soul.md", "lore.md"];

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

/** Reads and writes the files of the personas that are there. An id that is not there has the answer undefined. */
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

  /** Faults that stand in other files already do not keep the owner from mending this one. */
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

/** A folder that is not there can be made where the one above it can be written. */
function mayWrite(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && mayWrite(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
