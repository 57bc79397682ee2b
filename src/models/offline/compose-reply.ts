import type { BaseMessage } from "@langchain/core/messages";
import type { JsonObject, Language } from "../../core/conversation.ts";
import { createSpeaker } from "./create-speaker.ts";
import type { Speaker } from "./create-speaker.ts";
import { matchDirectory, matchFileRead } from "./match-file-read.ts";
import { matchFileWrite } from "./match-file-write.ts";
import { matchNamedTools } from "./match-named-tools.ts";
import { matchShell } from "./match-shell.ts";
import { matchTalk } from "./match-talk.ts";
import { matchTime } from "./match-time.ts";
import type { OfflinePhrases } from "./phrases.ts";
import { readConversation } from "./read-conversation.ts";
import { reportResult } from "./report-result.ts";
import type { WantedCall } from "./wanted-call.ts";

/** What the offline model answers: words, or calls without words. */
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

/** The whole thinking of the offline model. Pure: the same conversation gets the same reply. */
export function composeReply({ messages, tools, language, phrases }: ReplyOptions): OfflineReply {
  const { standing, utterance, reports, again, first, length, previous } = readConversation(messages);
  const say = createSpeaker({ phrases, language, seed: `${length}\n${utterance}`, previous });
  const speak = (text: string): OfflineReply => ({
    text: first ? `${text}\n\n${say("introduction")}` : text,
    calls: [],
  });
  switch (standing) {
    case "results":
      return speak(reports.map((report) => reportResult(report, say)).join("\n\n"));
    case "parked":
      return speak(say("waiting"));
    case "nothing":
      return speak(say("noted"));
    case "asked": {
      const reply = answerWords(utterance, tools, say, speak);
      // What was answered in words is not acted on when only the wording is asked for again.
      return again && reply.calls.length > 0 ? speak(say("noted")) : reply;
    }
  }
}

function answerWords(
  utterance: string,
  tools: readonly string[],
  say: Speaker,
  speak: (text: string) => OfflineReply,
): OfflineReply {
  const wanted = findWishes(utterance);
  const faulty = wanted.find(({ kind }) => kind === "faulty");
  if (faulty !== undefined) return speak(say("argumentsFaulty", { tool: faulty.tool }));
  const missing = wanted.find(({ tool }) => !tools.includes(tool));
  if (missing !== undefined) {
    return speak(missing.tool === "shell" ? say("shellMissing") : say("toolMissing", { tool: missing.tool }));
  }
  const calls = wanted.flatMap((wish) =>
    wish.kind === "call" ? [{ name: wish.tool, arguments: wish.arguments }] : [],
  );
  if (calls.length > 0) return { text: "", calls };
  return speak(say(matchTalk(utterance), { tools: tools.length === 0 ? "—" : tools.join(", ") }));
}

/** Tools that are named count all; of the other wishes only the first in the text is followed. */
function findWishes(utterance: string): readonly WantedCall[] {
  const named = matchNamedTools(utterance);
  if (named.length > 0) return named;
  const first = [matchShell, matchFileWrite, matchFileRead, matchTime]
    .flatMap((match) => match(utterance) ?? [])
    .toSorted((one, other) => one.at - other.at)[0];
  const wish = first ?? matchDirectory(utterance);
  return wish === undefined ? [] : [wish];
}
