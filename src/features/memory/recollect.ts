import type { Kysely } from "kysely";
import type { Taint } from "../../core/conversation.ts";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import { joinTaint } from "../../core/taint.ts";
import { pickTelling, type Meaning } from "./embedding/meaning.ts";
import { dropShadowed } from "./people/drop-shadowed.ts";
import { makeProfile, profileSlots, type Profile } from "./people/read-profile.ts";
import { recallMemories } from "./people/recall-memories.ts";
import { findMemoryScope, type MemoryScope } from "./scope.ts";
import { findAcquaintances } from "./queries/acquaintances.ts";
import { lastingImportance, listStanding, type Memory } from "./queries/memories.ts";
import type { Database } from "../../store/schema/database.ts";
import { labelMemories } from "./tools/memory-parts.ts";
import { toModelName, toModelSender, toModelText } from "../../kernel/agent/model-text.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";

const maxStanding = 24;
const maxLasting = 8;
const maxRecalled = 6;
const maxCompared = 30;
/** The share of what the message asks for that a memory must hold. */
const minMatch = 0.02;
const maxAskedLength = 1_000;

/** Memories of the person who speaks, for the context of a turn; "" = nothing. */
export type Recollect = (input: TurnInput, taint: Taint) => Promise<string>;

/**
 * Her memory, unasked: who the person is, what always matters, and what fits the new message. It never makes a turn
 * less trusted than it is: in a cleaner turn that which came from elsewhere, or which others said in a group, is left
 * for `recall_memory`.
 */
export function createRecollect(parts: {
  readonly db: Kysely<Database>;
  /** Absent = words are compared, not meanings. */
  readonly meaning?: Pick<Meaning, "findMemories"> | undefined;
  /** The id of the persona that speaks in a session. */
  readonly personaOf: (session: string) => string;
  /** Tokens; 0 = nothing comes unasked. */
  readonly budget: () => number;
  readonly now: () => number;
}): Recollect {
  const { db } = parts;
  return async (input, taint) => {
    const budget = parts.budget();
    const { chatKind, person, session } = input;
    // Guests are not admitted: nothing about them is kept, and what a group has said is for its members.
    if (budget === 0 || person.role === "guest") return "";
    const scope = await findMemoryScope(db, {
      person,
      session,
      chatKind,
      alone: person.human === undefined,
      persona: parts.personaOf(session),
    });
    const mayCome = (memory: Memory) =>
      joinTaint(
        labelMemories([memory], scope, { language: input.language, taint: "owner", sources: [] }).taint,
        taint,
      ) === taint;
    const isOwn = (memory: Memory) => scope.accounts.includes(memory.person);

    const known = await findAcquaintances(db, scope.accounts, scope.persona);
    const all = await listStanding(db, scope, {
      most: maxStanding,
      own: scope.accounts,
      slots: [...profileSlots, "home"],
    });
    const own = all.filter((memory) => isOwn(memory) && mayCome(memory));
    const standing = await dropShadowed(
      db,
      scope,
      own.filter((memory) => isLasting(memory) || isOfProfile(memory)),
    );
    const profile = makeProfile(scope, { known, zone: null, from: standing.filter(isOfProfile) });
    // Without a single memory no words find any.
    const found = all.length === 0 ? [] : await recall(scope, input);
    const chosen = [...standing.filter(isLasting).slice(0, maxLasting), ...found.filter(mayCome)];
    const told = new Set(profile.from.map(({ id }) => id));
    const lines = [describeProfile(profile, scope)];
    for (const memory of chosen) {
      // The facts of the message itself were kept as the turn began.
      if (told.has(memory.id) || input.text.includes(memory.content)) continue;
      told.add(memory.id);
      lines.push(renderMemory(memory, chatKind === "group"));
    }
    return fitBudget(lines, budget);
  };

  async function recall(scope: MemoryScope, { text, utterance }: TurnInput) {
    const asked = (utterance === undefined || utterance === "" ? text : utterance).slice(0, maxAskedLength);
    const near = await parts.meaning?.findMemories(scope, asked, maxCompared);
    const telling = new Set(pickTelling(near ?? []));
    const found = await recallMemories(db, scope, asked, {
      limit: maxRecalled,
      now: parts.now(),
      ...(near && { rankByMeaning: () => Promise.resolve(near.map(({ item }) => item)) }),
    });
    return found.filter(({ id, match }) => match >= minMatch || telling.has(id));
  }
}

/** A home bears on food, weather, plans and much else. */
const isLasting = ({ importance, pinned, slot }: Memory): boolean =>
  pinned || importance >= lastingImportance || slot === "home";
const isOfProfile = ({ slot }: Memory): boolean => (profileSlots as readonly (string | null)[]).includes(slot);

/** Returns "" for a new person who has said nothing about themself. */
function describeProfile({ from, languages, name, occupation, relation }: Profile, scope: MemoryScope): string {
  if (from.length === 0 && relation === "stranger") return "";
  const parts = [
    ...(name === scope.name ? [] : [`wants to be called ${toModelName(name)}`]),
    ...(occupation === null ? [] : [`occupation: ${toModelText(toLine(occupation))}`]),
    ...(languages.length === 0 ? [] : [`writes ${languages.join(", ")}`]),
    `to you: ${relation}`,
  ];
  return `| ${parts.join("; ")}`;
}

function renderMemory(memory: Memory, inGroup: boolean): string {
  const { content, name, origin, person, sources, taint, validFrom } = memory;
  const day = new Date(validFrom).toISOString().slice(0, 10);
  if (taint === "untrusted") {
    const from = sources.length === 0 ? "words of others" : sources.join(", ");
    return `| ${day} you read in ${toModelText(toLine(from))}, not their words: ${toModelText(toLine(content))}`;
  }
  const who = inGroup ? toModelSender({ id: person, name }) : "they";
  const how = origin === "extracted" || origin === "tool" ? "you noted of what they said" : `${who} said`;
  const noted = inGroup && how !== `${who} said` ? `you noted of what ${who} said` : how;
  return `| ${day} ${noted}: ${toModelText(toLine(content))}`;
}

const toLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** Whole lines, the first ones first. */
function fitBudget(lines: readonly string[], budget: number): string {
  const kept: string[] = [];
  let left = budget;
  for (const line of lines) {
    const tokens = estimateTokens(line) + 1;
    if (line === "" || tokens > left) continue;
    kept.push(line);
    left -= tokens;
  }
  return kept.join("\n");
}
