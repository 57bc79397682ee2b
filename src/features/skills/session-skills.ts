import type { Kysely } from "kysely";
import type { TurnSkills } from "../../kernel/agent/turn-skills.ts";
import { describeCatalogue } from "./describe-catalogue.ts";
import { injectKnowledge, listHosts } from "./knowledge-injector.ts";
import { listMissing, type Surroundings } from "./loader/requirements.ts";
import { isForeign, type Skill } from "./loader/types.ts";
import type { IntentMatcher } from "./matching/intent-matcher.ts";
import { searchSkills } from "./matching/search-skills.ts";
import type { SkillRegistry } from "./skill-registry.ts";
import { describeWhyNot, waitsForOwner, type SkillInSession, type SkillState } from "./skill-state.ts";
import type { DisabledSkill } from "./store/load-installed.ts";
import type { SuggestSkills } from "./suggest-skills.ts";
import { findWholeSession } from "../../store/queries/sessions.ts";
import {
  findSkillTopic,
  readSessionSkills,
  saveSkillChoice,
  saveSkillTopic,
  type SkillChoice,
  type SkillTopic,
  type TopicSkill,
} from "./queries/skills.ts";
import type { Database } from "../../store/schema/database.ts";

/** The skills of one session: those switched on, those of the topic, and their texts. */
export interface SessionSkills extends TurnSkills {
  list(session: string): Promise<readonly SkillInSession[]>;
  /** Makes a skill part of the running turn's topic, as the model asks. undefined = there is none that could be. */
  request(session: string, turn: string, skill: string): Promise<Skill | undefined>;
  /** Installed skills that are off everywhere, and why. */
  listDisabled(): readonly DisabledSkill[];
  choose(session: string, skill: string, choice: SkillChoice | undefined): Promise<void>;
}

/** Tells whether skills can be used in a session, and if not, why. */
export interface SkillStates extends Pick<SessionSkills, "list" | "whyNot"> {
  /** The same list, with the topic that it was made from. */
  readonly look: (
    session: string,
  ) => Promise<{ readonly all: readonly SkillInSession[]; readonly topic: SkillTopic | undefined }>;
  readonly skillRegistry: () => SkillRegistry;
  readonly database: () => Kysely<Database>;
}

export function createSkillStates(parts: {
  readonly skillRegistry: () => SkillRegistry;
  readonly surroundings: () => Surroundings;
  readonly database: () => Kysely<Database>;
}): SkillStates {
  const { skillRegistry, database } = parts;

  async function look(session: string) {
    const { choices, admitted, topic } = await readSessionSkills(database(), session);
    const active = new Set(topic?.after.map(({ skill }) => skill));
    const around = parts.surroundings();
    const all = skillRegistry()
      .list()
      .map((skill) => {
        const said = { choice: choices.get(skill.id), admitted: admitted.get(skill.id) };
        return { skill, state: judge(skill, said, active.has(skill.id), around) };
      });
    return { all, topic };
  }

  const list = async (session: string) => (await look(session)).all;

  return {
    skillRegistry,
    database,
    look,
    list,
    async whyNot(session, id) {
      const found = (await list(session)).find(({ skill }) => skill.id === id);
      return found ? describeWhyNot(found) : `The skill ${id} is not there any more.`;
    },
  };
}

export function createSessionSkills(parts: {
  readonly states: SkillStates;
  /** Characters of skill text in one prompt. */
  readonly budget: () => number;
  /** Tokens of the list of skills in one prompt. */
  readonly catalogueTokens: () => number;
  /** If false, no command reaches any host, whatever skills declare. */
  readonly hostsAllowed: () => boolean;
  /** Starts the MCP servers of active skills if they were never seen, and waits for them briefly. */
  readonly ensureServersStarted: (skills: readonly string[]) => Promise<void>;
  readonly match: IntentMatcher;
  readonly suggest: SuggestSkills;
  readonly listDisabled: SessionSkills["listDisabled"];
}): SessionSkills {
  const { skillRegistry, database, list, look, whyNot } = parts.states;

  const listReady = async (session: string) => pickReady(await list(session));

  return {
    list,
    async activate({ session, turn, utterance, language, position, startPosition, mayLetIn }, write) {
      const { all, topic } = await look(session);
      const ready = pickReady(all);
      const matched = await parts.match(skillRegistry().list(), utterance);
      const hinted = await parts.match.hint(skillRegistry().list(), utterance);
      const called = matched.filter((id) => ready.has(id));
      const kept = new Set(all.filter(waitsForOwner).map(({ skill }) => skill.id));
      const isOver = topic === undefined || topic.position <= startPosition;
      const before = isOver ? [] : topic.turn === turn ? topic.before : topic.after;
      const after = continueTopic(before, called);
      if (before.length > 0 || after.length > 0) {
        await write((db) => saveSkillTopic(db, session, { turn, position, before, after }));
      }
      const wanted = after.flatMap(({ skill }) => ready.get(skill) ?? []);
      const knowledge = injectKnowledge(wanted, { budget: parts.budget(), language });
      await parts.ensureServersStarted(knowledge.skills);
      const near = await parts.suggest(utterance, [...ready.values()]);
      const listed = all.filter(({ skill }) => ready.has(skill.id) || (mayLetIn && kept.has(skill.id)));
      const catalogue = describeCatalogue(
        listed.map(({ skill }) => skill),
        { tokens: parts.catalogueTokens(), waiting: kept },
      );
      const needed = findNeeded(skillRegistry().list(), utterance, catalogue.left);
      const suggested = new Set([...near, ...[...hinted, ...needed].filter((id) => ready.has(id))]);
      return {
        ...knowledge,
        network: parts.hostsAllowed() ? knowledge.network : [],
        catalogue,
        suggested: [...suggested].filter((id) => !knowledge.skills.includes(id)).slice(0, maxSuggested),
        waiting: [...new Set([...matched, ...hinted, ...needed])].filter((id) => kept.has(id)).slice(0, maxWaiting),
      };
    },
    async listHosts(session, skills) {
      if (skills.length === 0 || !parts.hostsAllowed()) return [];
      const ready = await listReady(session);
      return listHosts(skills.flatMap((id) => ready.get(id) ?? []));
    },
    whyNot,
    async request(session, turn, id) {
      const skill = (await listReady(session)).get(id);
      if (!skill) return undefined;
      const topic = await findSkillTopic(database(), session);
      const row = await findWholeSession(database(), session);
      const isOver = topic === undefined || topic.position <= (row?.start_position ?? 0);
      // The current position of the conversation, so that a new one ends it.
      const known = isOver ? { turn, before: [], after: [], position: row?.last_position ?? 0 } : topic;
      const after = [{ skill: id, quiet: 0 }, ...known.after.filter((one) => one.skill !== id)];
      await saveSkillTopic(database(), session, { ...known, after });
      await parts.ensureServersStarted([id]);
      return skill;
    },
    listDisabled: parts.listDisabled,
    choose: (session, skill, choice) => saveSkillChoice(database(), { session, skill, choice }),
  };
}

function pickReady(all: readonly SkillInSession[]): ReadonlyMap<string, Skill> {
  return new Map(all.flatMap(({ skill, state }) => (state.kind === "ready" ? [[skill.id, skill]] : [])));
}

const maxSuggested = 5;
const maxWaiting = 5;
const maxNeeded = 3;

/** Finds, among the skills that the catalogue has no room for, those whose words fit the message best. */
function findNeeded(skills: readonly Skill[], utterance: string, left: readonly string[]): readonly string[] {
  if (left.length === 0) return [];
  const unlisted = new Set(left);
  return searchSkills(skills, utterance)
    .filter(({ id, named }) => unlisted.has(id) && named.length > 0)
    .slice(0, maxNeeded)
    .map(({ id }) => id);
}

/** `admitted` = the digest of the version that an owner let into the session. */
function judge(
  skill: Skill,
  { choice, admitted }: { readonly choice: SkillChoice | undefined; readonly admitted: string | undefined },
  active: boolean,
  around: Surroundings,
): SkillState {
  if (choice === "off") return { kind: "off" };
  const what = listMissing(skill.requires, around);
  if (what.length > 0) return { kind: "missing", what };
  // `/skills on` shows neither the rights nor the version of an installed skill; only the approval of `use_skill` does.
  const trusted = skill.installed ? admitted === skill.installed.digest : !isForeign(skill) || choice === "on";
  return trusted ? { kind: "ready", active } : { kind: "untrusted" };
}

/** A skill is dropped after this many turns that did not call for it. */
const maxQuietTurns = 3;

/**
 * The skills of a topic after one more message. Skills that the message calls for are included. The others grow quiet:
 * by one with a message that calls for nothing, as 「再详细点」 does, and by two with one that calls for something else, so
 * that a short question in between does not end a topic and a second one does.
 */
export function continueTopic(before: readonly TopicSkill[], called: readonly string[]): readonly TopicSkill[] {
  const step = called.length === 0 ? 1 : 2;
  const others = before
    .filter(({ skill }) => !called.includes(skill))
    .map(({ skill, quiet }) => ({ skill, quiet: quiet + step }))
    .filter(({ quiet }) => quiet <= maxQuietTurns);
  return [...called.map((skill) => ({ skill, quiet: 0 })), ...others];
}
