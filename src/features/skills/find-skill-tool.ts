import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { Tool } from "../../kernel/tools/types.ts";
import type { IntentMatcher } from "./matching/intent-matcher.ts";
import type { SessionSkills } from "./session-skills.ts";
import { rankByWords } from "./matching/rank-by-words.ts";
import { searchSkills } from "./matching/search-skills.ts";
import { describeWhyNot, waitsForOwner, type SkillInSession } from "./skill-state.ts";
import { isForeign } from "./loader/types.ts";
import type { SkillRegistry } from "./skill-registry.ts";

/** Finds skills and tools of MCP servers. The exact id of a skill makes it active. */
export function createFindSkillTool(parts: {
  readonly skills: SessionSkills;
  readonly skillRegistry: () => SkillRegistry;
  readonly match: IntentMatcher;
  /** Tools of MCP servers, also of those that skills bring. */
  readonly listTools: () => readonly Pick<Tool, "name" | "description" | "skill">[];
}) {
  const { skills, skillRegistry, match, listTools } = parts;
  return defineTool({
    name: "find_skill",
    kind: "search",
    description: {
      zh: "找会做某件事的技能和 MCP 工具。query 写要做的事，得到候选；query 正好是一个技能的 id 时启用它，并返回它的说明。",
      en: "Find skills and MCP tools that know how to do something. With what is to be done as query you get candidates; with exactly the id of a skill it becomes active, and its instructions come back.",
    },
    input: z.strictObject({
      query: z.string().trim().min(1).max(500).describe("What is to be done, or the id of a skill to activate."),
      limit: z.number().int().min(1).max(20).default(5).describe("Candidates at most, 1 to 20."),
    }),
    level: "safe",
    readOnly: true,
    concurrencySafe: false,
    idempotent: true,
    place: "gateway",
    summarize: ({ query }) => query,
    async run({ query, limit }, { person, session, turn }) {
      const all = await skills.list(session);
      const named = all.find(({ skill }) => skill.id === query.toLowerCase());
      if (named) return activate(named, session, turn);
      const mayLetIn = person.role === "owner";
      const ranked = (await rank(all, query))
        .filter((one) => ["ready", "missing"].includes(one.state.kind) || (mayLetIn && waitsForOwner(one)))
        .slice(0, limit);
      const ready = new Set(all.flatMap(({ skill, state }) => (state.kind === "ready" ? [skill.id] : [])));
      const tools = rankByWords(
        query,
        listTools().filter(({ skill }) => skill === undefined || ready.has(skill)),
        ({ name, description }) => `${name} ${description.en} ${description.zh}`,
      ).slice(0, limit);
      const output = {
        skills: ranked.map(({ skill, state }) => ({
          id: skill.id,
          description: skill.description,
          ...(state.kind === "ready" && { active: state.active }),
          ...(state.kind === "missing" && { missing: [...state.what] }),
          ...(state.kind === "untrusted" && { firstUse: "use_skill" }),
        })),
        tools: tools.map(({ name, description, skill }) => ({
          name,
          description: description.en.slice(0, 300),
          // It is offered once this skill was activated.
          ...(skill !== undefined && { skill }),
        })),
      };
      const strange = ranked.some(({ skill }) => isForeign(skill)) || tools.length > 0;
      const found = `${ranked.length + tools.length} candidates`;
      return { ok: true, output, message: found, ...(strange && { taint: "untrusted" as const }) };
    },
  });

  /** Skills that the sentences and keywords call for, then the others by the words of their descriptions and texts. */
  async function rank(all: readonly SkillInSession[], query: string): Promise<readonly SkillInSession[]> {
    const registered = skillRegistry().list();
    const called = await match(registered, query);
    const ids = new Set([...called, ...searchSkills(registered, query).map(({ id }) => id)]);
    const byId = new Map(all.map((one) => [one.skill.id, one]));
    return [...ids].flatMap((id) => byId.get(id) ?? []);
  }

  async function activate(found: SkillInSession, session: string, turn: string) {
    const { skill } = found;
    const error = describeWhyNot(found);
    if (error !== undefined) return { ok: false as const, error };
    await skills.request(session, turn, skill.id);
    const own = listTools().flatMap((tool) => (tool.skill === skill.id ? [tool.name] : []));
    return {
      ok: true as const,
      output: { activated: skill.id, instructions: skill.context, tools: [...skill.tools.builtin, ...own] },
      message: skill.id,
      activates: skill.id,
      ...(isForeign(skill) && { taint: "untrusted" as const }),
    };
  }
}
