import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type IsOwnVariable, type SkillRights, listVariables, listYamlTexts, readRights } from "./skill-rights.ts";
import { formatFault, type ConfigFault } from "../../../core/yaml-file.ts";
import type { ReadSkill, Skill } from "../loader/types.ts";
import { whyNoPaths } from "./check-paths.ts";
import { findSkillRoot, readSkillId } from "./find-skill-root.ts";
import { readNeeds, type SkillNeeds } from "./read-needs.ts";
import { readText, scanFiles, type Finding } from "./scan-files.ts";
import { scanWords } from "./scan-words.ts";
import type { SkillFile, SkillFilesRead } from "./skill-files.ts";
import { findOwnProgram } from "./find-own-program.ts";
import { readWrittenServers } from "./written-servers.ts";

/** Reads one skill's folder, whose name is its id. Never runs anything of it. */
export type LoadOneSkill = (
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
) => Pick<ReadSkill, "faults" | "warnings"> & { readonly skill?: Skill | undefined };

/** A skill that could be installed, with all that a person must see to approve it. */
export interface ExaminedSkill {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly files: readonly SkillFile[];
  readonly rights: SkillRights;
  readonly needs: SkillNeeds;
  readonly findings: readonly Finding[];
}

export type Examination =
  | { readonly ok: true; readonly skill: ExaminedSkill }
  | { readonly ok: false; readonly problem: string };

/** `quarantine` is an empty folder of ours that only this loader reads from. */
export function examineSkill(
  read: SkillFilesRead,
  parts: {
    readonly folder: string;
    readonly quarantine: string;
    readonly load: LoadOneSkill;
    readonly isOwnVariable: IsOwnVariable;
    /** sentences.tsv. */
    readonly table: string;
  },
): Examination {
  const { folder, quarantine, load, isOwnVariable, table } = parts;
  const refuse = (problem: string): Examination => ({ ok: false, problem });
  if (!read.ok) return refuse(`Not taken: ${read.problem}.`);
  const root = findSkillRoot(read.files, folder);
  if (!root.ok) return refuse(`Not taken: ${root.problem}.`);
  const files = root.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const wrongPath = whyNoPaths(files.map(({ path }) => path));
  if (wrongPath !== undefined) return refuse(`Not taken: ${wrongPath}.`);
  const id = readSkillId(files);
  if (id === undefined)
    return refuse(
      "Not taken: its id (skill.yaml) or name (SKILL.md) is missing or not small letters, digits and hyphens.",
    );

  const place = join(quarantine, id);
  rmSync(place, { recursive: true, force: true });
  writeFiles(place, files);
  // Variables are replaced by themselves: people are shown the text as written, and no secret.
  const environment = Object.fromEntries(listVariables(files).map((name) => [name, `\${${name}}`]));
  const { skill, faults, warnings } = load(place, environment);
  if (!skill)
    return refuse(`Not taken, it cannot be loaded:\n${faults.map((fault) => describeFault(fault, place)).join("\n")}`);
  const main = files.some(({ path }) => path === "skill.yaml") ? "skill.yaml" : "SKILL.md";
  const flaws = warnings.map(({ key, problem }): Finding => {
    return { path: main, line: 0, what: key === "" ? "a flaw" : key, shown: problem.slice(0, 160), blocks: false };
  });
  const findings = [
    ...scanFiles(files),
    ...scanManifest(skill, files, isOwnVariable),
    ...scanWords(skill, main, table),
    ...flaws,
  ];
  const { name, version, description } = skill;
  const [rights, needs] = [readRights(skill, files), readNeeds(files)];
  return { ok: true, skill: { id, name, version, description, files, rights, needs, findings } };
}

export function writeFiles(folder: string, files: readonly SkillFile[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), bytes, { flag: "wx", mode: 0o600, flush: true });
  }
}

function describeFault(fault: ConfigFault, place: string): string {
  return formatFault({
    ...fault,
    file: fault.file.startsWith(place) ? fault.file.slice(place.length + 1) : fault.file,
  });
}

/** Checks of the skill as a whole. */
function scanManifest(skill: Skill, files: readonly SkillFile[], isOwnVariable: IsOwnVariable): Finding[] {
  const own = findOwnProgram(skill.id, readWrittenServers(skill, files), files);
  const keys = listVariables(files)
    .filter(isOwnVariable)
    .map((name) => ({
      path: "mcp.json",
      line: 0,
      what: "asks for one of Kurisu's own variables",
      shown: name,
      blocks: true,
    }));
  const server =
    own === undefined
      ? []
      : [
          {
            path: "mcp.json",
            line: 0,
            what: "a server that is started from the skill's own files or folder",
            shown: own,
            blocks: true,
          },
        ];
  // The first line that it could be in; escaped it is in none. In SKILL.md nothing is filled in.
  const reading = files.flatMap(({ path, bytes }) => {
    const text = path === "skill.yaml" ? (readText(bytes) ?? "") : "";
    if (!listYamlTexts(text).some(namesVariable)) return [];
    const line = text.split("\n").findIndex(namesVariable) + 1;
    return [{ path, line, what: "puts the environment into its text", shown: "${…}", blocks: true }];
  });
  return [...server, ...keys, ...reading];
}

function namesVariable(text: string): boolean {
  return text.replaceAll("$$", "").includes("${");
}
