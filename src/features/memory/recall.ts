import type { Kysely } from "kysely";
import type { Speaker, Taint } from "../../core/conversation.ts";
import { joinTaint } from "../../core/taint.ts";
import { pickTelling, type Meaning } from "./embedding/meaning.ts";
import { findWords } from "../../store/search/find-words.ts";
import type { MessageWindow } from "../../store/queries/messages.ts";
import { findLogChats, readLogMessages } from "../chatlog/queries/chat-log.ts";
import { findRemarks, type Remark } from "../summaries/queries/remarks.ts";
import type { Database } from "../../store/schema/database.ts";
import { labelHistory } from "../../kernel/agent/history-label.ts";
import { toModelName, toModelSender, toModelText } from "../../kernel/agent/model-text.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";
import { splitSentences } from "../../kernel/agent/context/split-sentences.ts";

const maxRemarks = 6;
/** The most words of one message that remarks are looked up by. */
const maxAsked = 40;
/** At most this many may be included by meaning alone. */
const maxMeant = 2;
/** Some of the newest ones are still in the window. */
const maxLookedUp = 8;
const maxCompared = 50;
/** About one word that is in twenty sentences. */
const minScore = 1.9;

export type Recall = (input: TurnInput, window: MessageWindow, taint: Taint) => Promise<string>;

/**
 * Sentences from before the window that share words with the new message; "" = none. It never makes a turn less trusted
 * than it is: words of others come back only where such words are read anyway.
 */
export function createRecall(db: Kysely<Database>, meaning?: Pick<Meaning, "findInLog">): Recall {
  return async (input, window, taint) => {
    if (window.from <= input.startPosition) return "";
    const terms = findWords(input.text, maxAsked);
    const stretch = { from: input.startPosition, upTo: window.from };
    const meant = meaning === undefined ? [] : await findMeant(db, meaning, input, stretch);
    const found = terms.length === 0 ? [] : await findRemarks(db, input.session, terms, stretch);
    const byWords = found.filter(({ score }) => score >= minScore);
    const seen = new Set<string>();
    const chosen: Remark[] = [];
    for (const remark of [...meant, ...byWords]) {
      if (chosen.length === maxRemarks) break;
      if (seen.has(remark.text) || joinTaint(labelRemark(remark, input), taint) !== taint) continue;
      seen.add(remark.text);
      chosen.push(remark);
    }
    return chosen
      .toSorted((a, b) => a.position - b.position)
      .map((remark) => renderRemark(remark, input.chatKind === "group"))
      .join("\n");
  };
}

/** Sentences of the messages that mean nearly the same, though they may share no word with the new one. */
async function findMeant(
  db: Kysely<Database>,
  meaning: Pick<Meaning, "findInLog">,
  input: TurnInput,
  stretch: { readonly from: number; readonly upTo: number },
): Promise<readonly Remark[]> {
  const chats = await findLogChats(db, { sessions: [input.session] });
  const ids = chats.map(({ id }) => id);
  const near = (await meaning.findInLog(ids, input.text, maxCompared)) ?? [];
  const telling = pickTelling(near).slice(0, maxLookedUp);
  const read = await readLogMessages(db, ids, telling);
  const texts = telling.flatMap((id) => read.find((message) => message.id === id)?.text ?? []);
  const meant: Remark[] = [];
  for (const text of texts) {
    const sentences = new Set(splitSentences(text));
    const found = await findRemarks(db, input.session, findWords(text, maxAsked), stretch);
    meant.push(...found.filter((remark) => sentences.has(remark.text)).slice(0, 1));
    if (meant.length >= maxMeant) break;
  }
  return meant;
}

function labelRemark({ speaker, taint }: Remark, input: TurnInput): Taint {
  const speakers: readonly Speaker[] = [speaker];
  return labelHistory([{ role: "note", text: "", taint, turn: null, speakers }], input).taint;
}

function renderRemark({ at, role, speaker, text }: Remark, inGroup: boolean): string {
  const day = new Date(at).toISOString().slice(0, 10);
  const name = inGroup ? toModelSender(speaker) : toModelName(speaker.name);
  const who = role === "user" ? name : role === "assistant" ? "you" : "record";
  return `| ${day} ${who}: ${toModelText(text.replaceAll(/\s+/g, " "))}`;
}
