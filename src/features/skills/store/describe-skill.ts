import { skillWords } from "../words.ts";
import type { Language } from "../../../core/conversation.ts";
import { formatByteSize } from "../../../core/byte-size.ts";
import { makeVisible } from "../../../core/persona/show-payload.ts";
import { diffTexts } from "../../../workspace/unified-diff.ts";
import { needsNothing } from "./check-needs.ts";
import type { ExaminedSkill } from "./examine-skill.ts";
import { readText, type Finding } from "./scan-files.ts";
import type { SkillFile } from "./skill-files.ts";
import type { SkillNeeds } from "./read-needs.ts";
import type { Origin } from "./skill-store.ts";
import type { SkillRights } from "./skill-rights.ts";

/** Describes a skill for approval: everything, one item a line, with nothing hidden. */
export function describeSkill(
  skill: ExaminedSkill,
  origin: Origin,
  language: Language,
  { files: maxFiles = Infinity }: { readonly files?: number } = {},
): readonly string[] {
  const { id, version, name, description, files, rights, needs, findings } = skill;
  const texts = skillWords[language].extensions;
  const listed = files.slice(0, maxFiles);
  const size = formatByteSize(files.reduce((sum, { bytes }) => sum + bytes.length, 0));
  const lines = [
    texts.skill({ id, version, name }),
    ...(description.trim() === "" ? [] : [description.trim()]),
    texts.source(origin.folder === "" ? origin.source : `${origin.source} (${origin.folder})`),
    ...(origin.commit === undefined ? [] : [texts.commit(origin.commit)]),
    texts.files({ count: files.length, size }),
    ...listed.map(({ path, bytes }) => `  ${path} (${bytes.length} B)`),
    ...(listed.length < files.length ? [`  … ${files.length - listed.length}`] : []),
    ...describeRights(rights, language),
    ...describeNeeds(needs, language),
    ...(findings.length === 0 ? [texts.noFindings] : [texts.findings(findings.length)]),
    ...findings.map(describeFinding),
  ];
  return lines.map((line) => makeVisible(line.replaceAll(/[\r\n]+/g, " ")));
}

export const describeNeeds = (needs: SkillNeeds, language: Language): readonly string[] =>
  needsNothing(needs) ? [] : [skillWords[language].extensions.needs(needs)];

export function describeRights(rights: SkillRights, language: Language): readonly string[] {
  const { tools, network, scripts, servers, variables, walledServers } = rights;
  const asked = [
    ...(tools.length > 0 ? [skillWords[language].extensions.tools(tools)] : []),
    ...(network.length > 0 ? [skillWords[language].extensions.network(network)] : []),
    ...(scripts.length > 0 ? [skillWords[language].extensions.scripts(scripts)] : []),
    ...servers.map((line) => skillWords[language].extensions.server(line)),
    ...walledServers.map((line) => skillWords[language].servers.walled(line)),
    ...(variables.length > 0 ? [skillWords[language].extensions.variables(variables)] : []),
  ];
  return asked.length === 0
    ? [skillWords[language].extensions.noRights]
    : [skillWords[language].extensions.rights, ...asked.map((line) => `  ${line}`)];
}

function describeFinding({ blocks, path, line, what, shown }: Finding): string {
  return `  ${blocks ? "✗" : "!"} ${path}${line > 0 ? `:${line}` : ""} ${what}: ${shown}`;
}

/** Characters of both sides together. */
const maxComparedLength = 400_000;

/** The changes of an update: texts as `diff -u`, other files by name. Hidden characters are written out. */
export function compareSkills(before: readonly SkillFile[], after: readonly SkillFile[]): readonly string[] {
  const paths = [...new Set([...before, ...after].map(({ path }) => path))].toSorted();
  return paths.flatMap((path) => {
    const [old, fresh] = [find(before, path), find(after, path)];
    if (old && fresh && old.equals(fresh)) return [];
    const texts = [old, fresh].map((bytes) => (bytes === undefined ? "" : readText(bytes)));
    const [from, to] = texts;
    if (from === undefined || to === undefined || from.length + to.length > maxComparedLength) {
      const what = old === undefined ? "added" : fresh === undefined ? "removed" : "changed";
      return [`${path}: ${what}, no text or a long one (${old?.length ?? 0} B -> ${fresh?.length ?? 0} B)`];
    }
    const names = [
      old === undefined ? "--- /dev/null" : `--- a/${path}`,
      fresh === undefined ? "+++ /dev/null" : `+++ b/${path}`,
    ];
    return [`${names.join("\n")}\n${makeVisible(diffTexts(from, to).hunks.join(""))}`];
  });
}

function find(files: readonly SkillFile[], wanted: string): Buffer | undefined {
  return files.find(({ path }) => path === wanted)?.bytes;
}
