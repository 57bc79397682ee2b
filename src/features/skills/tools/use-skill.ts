import { skillWords } from "../words.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Language } from "../../../core/conversation.ts";
import { formatByteSize } from "../../../core/byte-size.ts";
import { makeVisible, payloadLimit } from "../../../core/persona/show-payload.ts";
import { admitSkill } from "../../../store/queries/skill-admissions.ts";
import type { Database } from "../../../store/schema/database.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import type { Workspace } from "../../../workspace/types.ts";
import { describeRights } from "../store/describe-skill.ts";
import { readRights, type SkillRights } from "../store/skill-rights.ts";
import type { SessionSkills } from "../session-skills.ts";
import type { SkillStore } from "../store/skill-store.ts";
import { skillIdPattern, type Skill } from "../loader/types.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

/** Names of tools and scripts in a question that would be too long with all of them. */
const maxListed = 8;

const tooMuch = (id: string): string =>
  `${id} asks for more than can be shown whole in a question, so it cannot be let in. Tell the owner; ${kurisuCommand} skills list shows what it brings.`;

/** Limits of the copies in the workspace: files, and bytes of all together. */
const copyLimits = { files: 300, bytes: 10 * 1024 * 1024 } as const;
/** Files that were not copied and are named, each with the reason; more are counted. */
const maxNamed = 30;

/**
 * The first use of an installed skill in a chat: an owner sees what it is and may do there, and lets it in. From then on it
 * takes part like any other skill, as long as no byte of it changes.
 */
export function createUseSkillTool(parts: {
  readonly skills: () => readonly Skill[];
  readonly request: SessionSkills["request"];
  readonly store: Pick<SkillStore, "verify">;
  readonly workspace: Workspace;
  readonly database: () => Kysely<Database>;
}) {
  const { store, workspace } = parts;

  function find(id: string) {
    const skill = parts.skills().find((one) => one.id === id);
    if (!skill) return { ok: false, error: `There is no skill ${id}.` } as const;
    if (!skill.installed) return { ok: false, error: `${id} is the operator's own; it needs no yes.` } as const;
    // The loaded skill and the one on the disk must both be the installed one.
    const lying = store.verify().find((one) => one.id === id);
    if (lying?.kind !== "intact" || lying.digest !== skill.installed.digest)
      return { ok: false, error: `${id} was changed after it was installed and is off.` } as const;
    return { ok: true, skill, digest: lying.digest, files: lying.files, locked: lying.locked } as const;
  }

  return defineTool({
    name: "use_skill",
    description: {
      zh: "第一次在这个聊天里用一个装来的技能。上下文会列出哪些装来的技能可能有用；主人同意后它的说明会给你。",
      en: "Use an installed skill in this chat for the first time. The context names those that may help; after an owner's yes you are given its text.",
    },
    input: z.strictObject({ id: z.string().regex(skillIdPattern).describe("The skill's id.") }),
    level: "confirm",
    ownerOnly: true,
    alwaysAsks: true,
    readOnly: false,
    idempotent: true,
    taint: "untrusted",
    timeoutMs: 60_000,
    place: "gateway",
    summarize: ({ id }) => id,
    async inspect({ id }, { language }) {
      const found = find(id);
      if (!found.ok) return found;
      const detail = describe(found, language);
      // The approval covers the text that was read, so nothing of it may be cut.
      return detail.length <= payloadLimit ? { ok: true, detail } : { ok: false, error: tooMuch(id) };
    },
    async binding({ id }) {
      const found = find(id);
      return found.ok ? found.digest : null;
    },
    async run({ id }, { session, turn, person, now, language, shown }) {
      const found = find(id);
      if (!found.ok) return found;
      if (shown !== undefined && shown !== describe(found, language))
        return { ok: false, error: `${id} is another one than the person was shown; ask once more.` };
      await admitSkill(parts.database(), { session, skill: id, digest: found.digest, person: person.id, now });
      const { files, notCopied } = await placeFiles(session, found);
      await parts.request(session, turn, id);
      const { context, name } = found.skill;
      return {
        ok: true,
        output: {
          skill: id,
          name,
          text: context.trim(),
          ...(files.length > 0 && { files }),
          ...describeNotCopied(notCopied),
        },
        message: `${id} ${found.digest.slice(0, 12)}`,
        activates: id,
      };
    },
  });

  /** Commands find its files in the session's workspace; they are copies, and nothing of them is ever run by us. */
  async function placeFiles(
    session: string,
    { skill, files }: Extract<ReturnType<typeof find>, { ok: true }>,
  ): Promise<{ readonly files: readonly string[]; readonly notCopied: readonly NotCopied[] }> {
    const wanted = files.filter(({ path }) => !["skill.yaml", "SKILL.md", "mcp.json"].includes(path));
    const paths: string[] = [];
    const notCopied: NotCopied[] = [];
    let left: number = copyLimits.bytes;
    for (const { path, bytes } of wanted) {
      const why = whyNoRoom(paths.length, bytes.length, left);
      const written = why === undefined && (await workspace.writeBytes(session, `skills/${skill.id}/${path}`, bytes));
      if (written === false) notCopied.push({ file: path, why: why ?? "" });
      else if (!written.ok) notCopied.push({ file: path, why: written.error });
      else {
        left -= bytes.length;
        paths.push(written.path);
      }
    }
    return { files: paths, notCopied };
  }
}

interface NotCopied {
  readonly file: string;
  readonly why: string;
}

function whyNoRoom(copied: number, bytes: number, left: number): string | undefined {
  if (copied >= copyLimits.files) return `${copyLimits.files} files are copied at most`;
  return bytes > left ? `the copies take ${formatByteSize(copyLimits.bytes)} at most` : undefined;
}

/** The model reads these with `skill_file`. */
function describeNotCopied(all: readonly NotCopied[]) {
  if (all.length === 0) return {};
  const more = all.length - maxNamed;
  return { notCopied: all.slice(0, maxNamed), ...(more > 0 && { notCopiedMore: more }) };
}

function describe(
  {
    skill,
    digest,
    files,
    locked,
  }: {
    skill: Skill;
    digest: string;
    files: Parameters<typeof readRights>[1];
    locked: { source: string; commit?: string | undefined };
  },
  language: Language,
): string {
  const texts = skillWords[language].extensions;
  const { id, version, name } = skill;
  const rights = readRights(skill, files);
  const write = (shown: SkillRights): string =>
    [
      texts.firstUse,
      texts.skill({ id, version, name }),
      texts.source(locked.source),
      ...(locked.commit === undefined ? [] : [texts.commit(locked.commit)]),
      texts.digest(digest),
      ...describeRights(shown, language),
    ]
      // A name of several lines could fake lines of the list.
      .map((line) => makeVisible(line.replaceAll(/\s*[\r\n]+\s*/g, " ")))
      .join("\n");
  const whole = write(rights);
  if (whole.length <= payloadLimit) return whole;
  return write({ ...rights, tools: shorten(rights.tools), scripts: shorten(rights.scripts) });
}

/** Tools and scripts ask for themselves each time, so the beginning of a long list is enough. */
function shorten(names: readonly string[]): readonly string[] {
  return names.length <= maxListed ? names : [...names.slice(0, maxListed), `… +${names.length - maxListed}`];
}
