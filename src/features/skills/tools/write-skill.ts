import { skillWords } from "../words.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import { stringify } from "yaml";
import { payloadLimit } from "../../../core/persona/show-payload.ts";
import type { Language } from "../../../core/conversation.ts";
import { admitSkill } from "../../../store/queries/skill-admissions.ts";
import type { Database } from "../../../store/schema/database.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import type { Tool } from "../../../kernel/tools/types.ts";
import type { SkillStore } from "../store/skill-store.ts";
import { skillIdPattern } from "../loader/types.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

const input = z.strictObject({
  id: z.string().regex(skillIdPattern).describe("Small letters, digits and hyphens, such as weekly-report."),
  name: z.string().trim().min(1).max(60).describe("A short name for people."),
  description: z.string().trim().min(1).max(200).describe("What it is for, and when."),
  keywords: z.array(z.string().trim().min(1).max(40)).min(1).max(12).describe("Words people use when they need it."),
  examples: z
    .array(z.string().trim().min(1).max(120))
    .max(10)
    .optional()
    .describe("Five or more sentences that people write when they need it, each said differently."),
  text: z.string().trim().min(1).max(1200).describe("What to do, step by step."),
});

type WriteSkillInput = z.infer<typeof input>;

/** Proposes a skill that she has written after a task went well. The owner reads all of it before they approve. */
export function createWriteSkillTool(parts: {
  readonly store: SkillStore;
  readonly database: () => Kysely<Database>;
}): Tool<WriteSkillInput> {
  const { store } = parts;

  function examine(input: WriteSkillInput, language: Language) {
    const bytes = Buffer.from(writeSkill(input, language));
    const examined = store.examineFiles([{ path: "skill.yaml", bytes }]);
    if (!examined.ok) return { ok: false, error: examined.problem } as const;
    const { skill } = examined;
    const bad = skill.findings.filter(({ blocks }) => blocks).map(({ what, shown }) => `${what}: ${shown}`);
    if (bad.length > 0) return { ok: false, error: `It says what no skill may say. ${bad.join("; ")}` } as const;
    const before = store.verify().find(({ id }) => id === input.id);
    if (before?.kind === "changed" || (before && before.locked.kind !== "written"))
      return { ok: false, error: `There is an installed skill ${input.id}; take another id.` } as const;
    if (describe(input, language).length > payloadLimit)
      return { ok: false, error: "It is too long to be shown whole to the owner; say it in fewer words." } as const;
    return { ok: true, skill, over: before?.digest } as const;
  }

  const describe = (input: WriteSkillInput, language: Language) => {
    const texts = skillWords[language].extensions;
    return `${texts.authored}\n\n${writeSkill(input, language)}\n${texts.undo(`${kurisuCommand} skills remove ${input.id}`)}`;
  };

  return defineTool({
    name: "write_skill",
    description: {
      zh: "把刚才做成的一件事写成技能，下次照着做。只写步骤和要点，不写别人的内容和密钥。主人看过全文同意后才会装上；同一个 id 再写就是改。",
      en: "Write down as a skill how something was just done well, to do it the same way again: steps and points, no one else's texts and no keys. It is installed after the owner has read all of it; the same id again changes it.",
    },
    input,
    level: "confirm",
    ownerOnly: true,
    alwaysAsks: true,
    readOnly: false,
    idempotent: true,
    place: "gateway",
    summarize: ({ id }) => id,
    async inspect(input, { language }) {
      const examined = examine(input, language);
      return examined.ok ? { ok: true, detail: describe(input, language) } : examined;
    },
    async run(input, { session, turn, person, language, shown, now }) {
      const examined = examine(input, language);
      if (!examined.ok) return examined;
      if (shown !== describe(input, language))
        return { ok: false, error: "It is not what the owner was shown; ask once more." };
      const { skill, over } = examined;
      const installed = store.install(
        skill,
        { kind: "written", source: turn, folder: "" },
        { approver: person.id, ...(over !== undefined && { over }) },
      );
      if (!installed.ok) return { ok: false, error: installed.problem };
      // The person has just read all of it in this chat, so they are not asked for it here again.
      await admitSkill(parts.database(), {
        session,
        skill: skill.id,
        digest: installed.digest,
        person: person.id,
        now,
      });
      return { ok: true, output: { written: skill.id }, message: `${skill.id} ${installed.digest.slice(0, 12)}` };
    },
  });
}

function writeSkill(
  { id, name, description, keywords, examples = [], text }: WriteSkillInput,
  language: Language,
): string {
  // A dollar sign would begin a variable of the environment.
  const plain = (words: string) => words.replaceAll("$", "$$$$");
  return stringify(
    {
      id,
      name: plain(name),
      version: "1.0.0",
      description: plain(description),
      type: "knowledge",
      trigger: { keywords: keywords.map(plain) },
      language,
      context: plain(text),
      ...(examples.length > 0 && { examples: examples.map(plain) }),
    },
    { lineWidth: 0 },
  );
}
