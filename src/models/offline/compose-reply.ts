import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import type { JsonObject, Language } from "../../core/conversation.ts";
import { createSpeaker } from "./create-speaker.ts";
import type { Speaker } from "./create-speaker.ts";
import { describeTalk, findWishes } from "./find-wishes.ts";
import type { PhraseKey } from "./phrase-keys.ts";
import type { OfflinePhrases } from "./phrases.ts";
import { readConversation } from "./read-conversation.ts";
import type { ToolReport } from "./read-conversation.ts";
import { reportResult } from "./report-result.ts";
import type { Call, Wish } from "./rule.ts";

/** A reply of the offline model: words, or calls without words. */
export interface OfflineReply {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

interface ReplyOptions {
  readonly messages: readonly BaseMessage[];
  /** Names of the tools that are offered now. */
  readonly tools: readonly string[];
  readonly language: Language;
  readonly phrases: OfflinePhrases;
}

interface Thinking {
  readonly tools: readonly string[];
  /** The tools that are withheld from this person, a guest. */
  readonly withheld: readonly string[];
  readonly language: Language;
  readonly say: Speaker;
  /** The person's words before those that are answered. */
  readonly earlier: readonly string[];
}

/** The whole thinking of the offline model. Pure: the same conversation gets the same reply. */
export function composeReply({ messages, tools, language, phrases }: ReplyOptions): OfflineReply {
  const { standing, utterance, reports, again, earlier, length, previous, withheld, changes } =
    readConversation(messages);
  const say = createSpeaker({ phrases, language, seed: `${length}\n${utterance.slice(0, 500)}`, previous });
  const thinking = { tools, withheld, language, say, earlier };
  switch (standing) {
    case "parked":
      return speak(say("waiting"));
    case "nothing":
      return speak(say("noted"));
    case "results":
    case "asked": {
      // Only the gateway knows the call that the words change; the request itself is reported like any other.
      if (changes && reports.length === 0) return speak("");
      const reply = follow(changes ? [] : findWishes(utterance), reports, thinking, utterance);
      // A reply in words is not acted on when only the wording is asked for again.
      return again && reply.calls.length > 0 ? speak(wordResults(reports, thinking) || say("noted")) : reply;
    }
  }
}

const speak = (text: string): OfflineReply => ({ text, calls: [] });

const wordResults = (reports: readonly ToolReport[], { say, language }: Thinking): string =>
  reports.map((report) => reportResult(report, say, language)).join("\n\n");

/** A call of a tool that is not offered is replaced by the one that may be made instead. */
function replaceMissing(wish: Wish, { tools, withheld }: Thinking): Wish {
  if (wish.kind !== "call" || wish.otherwise === undefined) return wish;
  const areOffered = ({ calls }: Call): boolean => calls.every(({ name }) => tools.includes(name));
  const isReplaced = !wish.calls.some(({ name }) => withheld.includes(name)) && !areOffered(wish);
  return isReplaced && areOffered(wish.otherwise) ? wish.otherwise : wish;
}

/** Goes through the wishes; what has been done already is reported, and the next call is made. */
function follow(
  asked: readonly Wish[],
  reports: readonly ToolReport[],
  thinking: Thinking,
  utterance: string,
): OfflineReply {
  const { say, tools } = thinking;
  const wishes = asked.map((wish) => replaceMissing(wish, thinking));
  const missing = wishes
    .flatMap((wish) => (wish.kind === "call" ? wish.calls : []))
    .find(({ name }) => !tools.includes(name));
  if (missing !== undefined && reports.length === 0) return speak(nameMissing(missing.name, thinking));
  const told: string[] = [];
  let left = reports;
  for (const first of wishes.length > 0 || reports.length > 0 ? wishes : [describeTalk(utterance, thinking.earlier)]) {
    for (let wish: Wish | undefined = first; wish !== undefined;) {
      if (wish.kind === "faulty") return speak(say("argumentsFaulty", { tool: wish.tool }));
      if (wish.kind === "say") {
        told.push(sayKey(wish.key, wish.values ?? {}, thinking));
        break;
      }
      const { calls, heading, next }: Call = wish;
      if (!areDone(calls, left)) {
        // Results of other calls are reported as they are; after a failure nothing more is done.
        const isOver = left.length > 0 || reports.some(({ result }) => !result.ok);
        if (!isOver) return { text: "", calls };
        break;
      }
      const done = left.slice(0, calls.length);
      left = left.slice(calls.length);
      wish = done.every(({ result }) => result.ok) ? next?.(done) : undefined;
      if (wish !== undefined) continue;
      const isTold = heading !== undefined && done.every(hasMessages);
      told.push(`${isTold ? `${say(heading.key, heading.values)}\n` : ""}${wordResults(done, thinking)}`);
    }
  }
  if (left.length > 0) told.push(wordResults(left, thinking));
  return speak(told.join("\n\n"));
}

const someMessages = z.object({ messages: z.array(z.unknown()).min(1) });
const hasMessages = ({ result }: ToolReport): boolean => result.ok && someMessages.safeParse(result.output).success;

/** The results at hand begin with those of these calls; which came first depends on what had to be asked. */
function areDone(calls: Call["calls"], reports: readonly ToolReport[]): boolean {
  const names = calls.map(({ name }) => name).toSorted();
  const told = reports.slice(0, calls.length).map(({ tool }) => tool);
  return names.join() === told.toSorted().join();
}

const reminderTools: readonly string[] = ["remind", "list_reminders", "cancel_reminder"];

const memoryTools: readonly string[] = ["remember", "recall_memory", "list_memories", "forget"];
const logTools: readonly string[] = [
  "search_by_keywords",
  "load_messages",
  "search_person",
  "search_semantic",
  "list_topics",
  "get_chatlog_stats",
];

function nameMissing(tool: string, { say, withheld }: Thinking): string {
  if (withheld.includes(tool)) return say("notForGuests");
  if (reminderTools.includes(tool)) return say("noReminders");
  if (memoryTools.includes(tool)) return say("noMemory");
  if (logTools.includes(tool)) return say("logMissing");
  if (tool === "list_missed") return say("missedNotHere");
  if (tool === "shell") return say("shellMissing");
  return tool === "web_search" ? say("searchMissing") : say("toolMissing", { tool });
}

/** Her abilities at the moment, with the tool each takes. */
const abilities: readonly (readonly [tool: string, key: PhraseKey])[] = [
  ["file_read", "canFiles"],
  ["file_write", "canWrite"],
  ["shell", "canShell"],
  ["web_search", "canSearch"],
  ["fetch", "canFetch"],
  ["time", "canClock"],
  ["remind", "canRemind"],
  ["todo", "canTodo"],
  ["remember", "canRemember"],
  ["search_by_keywords", "canSearchLog"],
];

function sayKey(key: PhraseKey, values: Readonly<Record<string, string | number>>, { say, tools }: Thinking): string {
  if (key !== "help") return say(key, values);
  const foreign = tools.filter((tool) => tool.startsWith("mcp__")).slice(0, 20);
  const lines = [
    ...abilities.filter(([tool]) => tools.includes(tool)).map(([, ability]) => say(ability)),
    say("canCalculate"),
    ...(foreign.length === 0 ? [] : [say("canNamed", { tools: foreign.join(", ") })]),
  ];
  return say("help", { abilities: lines.join("\n") });
}
