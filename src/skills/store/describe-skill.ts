import { formatByteSize } from "../../core/byte-size.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { ExaminedSkill } from "./examine-skill.ts";
import type { Finding } from "./scan-files.ts";
import type { Origin } from "./skill-store.ts";
import type { SkillRights } from "./skill-rights.ts";

/** What a person reads before a yes: everything, one thing a line, with nothing hidden. */
export function describeSkill(
  skill: ExaminedSkill,
  origin: Origin,
  words: Words,
  { files: mostFiles = Infinity }: { readonly files?: number } = {},
): readonly string[] {
  const { id, version, name, description, files, rights, findings } = skill;
  const texts = words.extensions;
  const listed = files.slice(0, mostFiles);
  const size = formatByteSize(files.reduce((sum, { bytes }) => sum + bytes.length, 0));
  const lines = [
    texts.skill({ id, version, name }),
    ...(description.trim() === "" ? [] : [description.trim()]),
    texts.source(origin.folder === "" ? origin.source : `${origin.source} (${origin.folder})`),
    ...(origin.commit === undefined ? [] : [texts.commit(origin.commit)]),
    texts.files({ count: files.length, size }),
    ...listed.map(({ path, bytes }) => `  ${path} (${bytes.length} B)`),
    ...(listed.length < files.length ? [`  … ${files.length - listed.length}`] : []),
    ...describeRights(rights, words),
    ...(findings.length === 0 ? [texts.noFindings] : [texts.findings(findings.length)]),
    ...findings.map(describeFinding),
  ];
  return lines.map((line) => makeVisible(line.replaceAll(/[\r\n]+/g, " ")));
}

export function describeRights(rights: SkillRights, { extensions: texts, skillServers }: Words): readonly string[] {
  const { tools, network, scripts, servers, variables, walledServers } = rights;
  const asked = [
    ...(tools.length > 0 ? [texts.tools(tools)] : []),
    ...(network.length > 0 ? [texts.network(network)] : []),
    ...(scripts.length > 0 ? [texts.scripts(scripts)] : []),
    ...servers.map((line) => texts.server(line)),
    ...walledServers.map((line) => skillServers.walled(line)),
    ...(variables.length > 0 ? [texts.variables(variables)] : []),
  ];
  return asked.length === 0 ? [texts.noRights] : [texts.rights, ...asked.map((line) => `  ${line}`)];
}

function describeFinding({ blocks, path, line, what, shown }: Finding): string {
  return `  ${blocks ? "✗" : "!"} ${path}${line > 0 ? `:${line}` : ""} ${what}: ${shown}`;
}
