import type { Kysely } from "kysely";
import { countPreference, deletePreferences, listPreferences } from "../queries/preferences.ts";
import {
  findQuestionTaint,
  type AskedCall,
  type Question,
  listClosedQuestions,
} from "../../../store/queries/questions.ts";
import type { Database } from "../../../store/schema/database.ts";
import { habits } from "./show-preferences.ts";
import { toCanonicalJson } from "../../../core/canonical-json.ts";
import { listSteeredWords } from "../../../store/queries/steered-messages.ts";
import { findTurn } from "../../../store/queries/turns.ts";
import { readChoice, type ChangedArgument } from "./read-choice.ts";
import { listContradicted } from "./read-wishes.ts";

/** Arguments in words that choose how something is done; other words are what a call is about. */
const choices = new Set(["format", "mode", "search_depth", "agent_name", "language", "style", "sort", "order", "unit"]);
/** The place where these act is their subject. */
const actOnWhatIsThere = new Set(["file_edit", "file_patch", "file_delete", "file_read", "send_file"]);
const maxOptions = 8;
/** Limit for what is only counted; the oldest go. */
const maxLearned = 60;
/** Names of things that people do not want to see noted, and numbers that are no settings. */
const secretName = /pass|pin|token|secret|key|code|otp|auth|credential/i;
const maxNumberLength = 6;

/**
 * Counts what the person who asked for something did with it. What others decided for them is no evidence about them.
 * Only choices among the arguments are counted, never the subject of a call; none in a turn that read something untrusted,
 * and none of an MCP server, whose names are its own, nor of a tool that another replaces (`overridden`). What the
 * person has put right counts as a habit at once, with the plain choice that their own words named.
 */
export async function learnFromDecision(
  db: Kysely<Database>,
  question: Question,
  by: string,
  now: number,
  overridden: readonly string[],
): Promise<void> {
  const { asker, calls, id } = question;
  if (by !== asker) return;
  const isOwn = ((await findQuestionTaint(db, id)) ?? "untrusted") !== "untrusted";
  const before = isOwn ? await listCorrected(db, question) : [];
  const corrected = before.flatMap((one) => one.calls);
  const said = before.length > 0 ? await Promise.all([question, ...before].map((one) => listWords(db, one))) : [];
  let isNew = false;
  for (const call of calls) {
    const { tool, state } = call;
    if (state !== "approved" && state !== "rejected") continue;
    const kept = state === "approved";
    if (await countPreference(db, { person: asker, key: `tool:${tool}`, text: "", kept, now })) isNew = true;
    if (!kept || !isOwn || tool.startsWith("mcp__") || overridden.includes(tool)) continue;
    const isOnly = calls.filter((one) => one.tool === tool).length === 1;
    const changes = isOnly ? listChangedArguments(call, corrected) : [];
    const changed = changes.map(({ name }) => name);
    const options = listOptions(call);
    for (const [option, value] of options) {
      const key = `option:${tool}.${option}`;
      const note = { person: asker, key, text: value, now };
      if (await (changed.includes(option) ? settle(db, note) : countPreference(db, { ...note, kept }))) isNew = true;
    }
    const chosen = actOnWhatIsThere.has(tool)
      ? []
      : changes.flatMap((change) => {
          // The newest words first: several corrections may have led to this call.
          const choice = said
            .flat()
            .flatMap((words) => readChoice(words, change) ?? [])
            .at(0);
          return choice === undefined ? [] : [{ name: change.name, choice }];
        });
    for (const { choice } of chosen)
      if (await settle(db, { person: asker, key: `choice:${tool}.${choice.topic}`, text: choice.value, now }))
        isNew = true;
    // The content of a call is not kept; the fact that it is corrected again and again is.
    const isExplained = (name: string): boolean =>
      options.some(([option]) => option === name) || chosen.some((one) => one.name === name);
    for (const name of changed.filter((one) => !isExplained(one) && isPlainName(one)))
      if (await countPreference(db, { person: asker, key: `change:${tool}.${name}`, text: "", kept, now }))
        isNew = true;
  }
  if (isNew) await dropOldest(db, asker);
}

/** A habit at once; words that were before it and say otherwise go. */
async function settle(
  db: Kysely<Database>,
  note: { readonly person: string; readonly key: string; readonly text: string; readonly now: number },
): Promise<boolean> {
  const { key, person } = note;
  await deletePreferences(db, person, listContradicted(key, await listPreferences(db, person)));
  return countPreference(db, { ...note, kept: true, times: habits.kept });
}

/** The person's words in the turn that asks, including those added while it was running, newest first. */
async function listWords(db: Kysely<Database>, { agent, turn }: Question): Promise<readonly string[]> {
  const row = agent === null ? await findTurn(db, turn) : undefined;
  if (row === undefined) return [];
  const taken = (await listSteeredWords(db, turn, 0)).map((words) => {
    const { message, taint } = JSON.parse(words) as { readonly message: unknown; readonly taint: string };
    return taint === "untrusted" ? "" : readText(message);
  });
  return [...taken.toReversed(), readText(JSON.parse(row.input))];
}

function readText(value: unknown): string {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"
    ? value.text
    : "";
}

async function dropOldest(db: Kysely<Database>, person: string): Promise<void> {
  const learned = (await listPreferences(db, person)).filter(({ origin }) => origin === "learned");
  const over = learned.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(maxLearned);
  await deletePreferences(
    db,
    person,
    over.map(({ key }) => key),
  );
}

function listOptions({ arguments: given }: AskedCall): readonly (readonly [string, string])[] {
  return Object.entries(given)
    .flatMap(([name, value]): [string, string][] => {
      if (!isPlainName(name)) return [];
      if (typeof value === "boolean") return [[name, String(value)]];
      if (typeof value === "number") return String(value).length > maxNumberLength ? [] : [[name, String(value)]];
      return choices.has(name) && typeof value === "string" && /^[a-z][a-z0-9_-]{0,19}$/.test(value)
        ? [[name, value]]
        : [];
    })
    .slice(0, maxOptions);
}

function isPlainName(name: string): boolean {
  return /^\w{1,40}$/.test(name) && !secretName.test(name);
}

/** A correction later than this is another matter. */
const windowMs = 10 * 60_000;

/**
 * The questions that a person took back with 「改成 …」 right before they agreed to this one, with nothing asked of them in
 * between, newest first: those that it puts right.
 */
async function listCorrected(db: Kysely<Database>, question: Question): Promise<readonly Question[]> {
  const { asker, agent, createdAt, id, session } = question;
  const before = (await listClosedQuestions(db, session, createdAt - windowMs))
    .filter((one) => one.id !== id && one.asker === asker && one.agent === agent && one.createdAt <= createdAt)
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const end = before.findIndex(({ closedHow, closedBy }) => closedHow !== "changed" || closedBy !== asker);
  return before.slice(0, end < 0 ? before.length : end);
}

/** The arguments that a call has otherwise than those it takes the place of. `before` = in the newest of them that differs. */
function listChangedArguments(call: AskedCall, corrected: readonly AskedCall[]): readonly ChangedArgument[] {
  const same = corrected.filter(({ tool }) => tool === call.tool);
  const names = new Set([call, ...same].flatMap((one) => Object.keys(one.arguments)));
  const valueOf = (one: AskedCall, name: string) => toCanonicalJson(one.arguments[name] ?? null);
  return [...names].flatMap((name) => {
    const other = same.find((one) => valueOf(one, name) !== valueOf(call, name));
    return other === undefined ? [] : [{ name, before: other.arguments[name], after: call.arguments[name] }];
  });
}
