import { skillWords } from "./words.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Language } from "../../core/conversation.ts";
import type { SessionSkills } from "./session-skills.ts";
import type { SkillInSession, SkillState } from "./skill-state.ts";
import { applyChoice } from "./desk/apply-choice.ts";
import { isForeign, type Skill } from "./loader/types.ts";
import type { MCPBridge, McpServerView } from "../mcp/mcp-bridge.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import { describeState } from "../mcp/describe-state.ts";
import { tellAs } from "../../kernel/outbox/tell-as.ts";

/** `/skills`, `/skills on ID`, `/skills off ID`, `/skills auto ID`: the skills that she may use in this chat. */
export function createChooseSkills({
  skills,
  listServers,
}: {
  readonly skills: Pick<SessionSkills, "list" | "listDisabled" | "choose">;
  /** The MCP servers there are. */
  readonly listServers: MCPBridge["views"];
}) {
  return async ({ session, person, language, rest }: CommandCall): Promise<CommandAnswer> => {
    const all = await skills.list(session);
    if (rest === "") {
      // Only owners see the reason, since they can fix it: it names files and variables.
      const disabled = (person.role === "owner" ? skills.listDisabled() : []).map(({ id, problem }) =>
        makeVisible(skillWords[language].disabled({ id, problem })),
      );
      if (all.length === 0) return { text: [skillWords[language].none, ...disabled].join("\n") };
      const views = listServers();
      const toLines = (one: SkillInSession) => [
        `${mark(one.state)} ${[one.skill.id, ...nameFor(one.skill, language), describe(one, language)].join("  ")}`,
        ...describeServers(one.skill, views, language),
      ];
      const missing = all.filter(({ state }) => state.kind === "missing");
      const there = all.filter((one) => !missing.includes(one));
      const lines = [
        skillWords[language].heading(there.length),
        ...there.flatMap(toLines),
        ...(missing.length > 0 ? [skillWords[language].missingHeading, ...missing.flatMap(toLines)] : []),
        ...disabled,
      ];
      return { text: lines.join("\n") };
    }
    const [, action, id = ""] = /^(on|off|auto)\s+(\S+)$/i.exec(rest) ?? [];
    if (action === undefined) return { text: skillWords[language].usage };
    const found = all.find(({ skill }) => skill.id === id.toLowerCase());
    if (!found) return { text: skillWords[language].unknown(makeVisible(id)) };
    const { skill } = found;
    switch (action.toLowerCase()) {
      case "on": {
        const foreign = isForeign(skill);
        if (foreign && person.role !== "owner") return tellAs("denied", language, skillWords[language].ownerOnly);
        await applyChoice(skills, session, skill, "on");
        const now = (await skills.list(session)).find((one) => one.skill.id === skill.id);
        if (now?.state.kind === "missing")
          return { text: skillWords[language].turnedOnMissing({ id: skill.id, missing: now.state.what }) };
        if (now?.state.kind === "untrusted") return { text: skillWords[language].asksFirst(skill.id) };
        return {
          text: foreign ? skillWords[language].turnedOnForeign(skill.id) : skillWords[language].turnedOn(skill.id),
        };
      }
      case "off":
        await applyChoice(skills, session, skill, "off");
        return { text: skillWords[language].turnedOff(skill.id) };
      default:
        await applyChoice(skills, session, skill, "auto");
        return { text: skillWords[language].auto(skill.id) };
    }
  };
}

const choices = ["on", "off", "auto"];

/** The words that may follow /skills: the action, then the id of a skill. */
export function createCompleteSkills({ list }: Pick<SessionSkills, "list">) {
  return async (session: string, [choice = "", ...rest]: readonly string[]): Promise<readonly string[]> => {
    if (rest.length === 0) return choices;
    if (rest.length > 1 || !choices.includes(choice)) return [];
    return (await list(session)).map(({ skill }) => skill.id);
  };
}

/** The name after the id, unless an English reader could not read its letters. */
function nameFor({ name }: Skill, language: Language): readonly string[] {
  return language === "en" && /\p{Script=Han}/u.test(name) ? [] : [makeVisible(name)];
}

function mark(state: SkillState): string {
  if (state.kind === "ready") return state.active ? "▸" : "○";
  return "✕";
}

function describeServers(
  { id, mcpServers }: Skill,
  views: readonly McpServerView[],
  language: Language,
): readonly string[] {
  return mcpServers.map(({ name }) => {
    const view = views.find(({ server }) => server.name === name && server.skill === id);
    const state = view ? describeState(view, language) : skillWords[language].servers.nameTaken;
    return skillWords[language].servers.line({ name, state });
  });
}

function describe({ skill, state }: SkillInSession, language: Language): string {
  switch (state.kind) {
    case "ready":
      return state.active ? skillWords[language].active : skillWords[language].ready;
    case "off":
      return skillWords[language].off;
    case "missing":
      return skillWords[language].missing(state.what);
    case "untrusted":
      return skill.installed ? skillWords[language].waiting : skillWords[language].untrusted;
  }
}
