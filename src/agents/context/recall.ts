import type { Kysely } from "kysely";
import type { Speaker, Taint } from "../../core/conversation.ts";
import { joinTaint } from "../../core/taint.ts";
import { findWords } from "../../memory/text/find-words.ts";
import type { MessageWindow } from "../../store/queries/messages.ts";
import { findRemarks, type FoundRemark } from "../../store/queries/remarks.ts";
import type { Database } from "../../store/schema/database.ts";
import { labelHistory } from "../history-label.ts";
import { toModelName, toModelSender, toModelText } from "../model-text.ts";
import type { TurnInput } from "../types.ts";

const most = 6;
/** The most words of one message that remarks are looked up by. */
const mostAsked = 40;
/** About one word that is in twenty sentences. */
const leastScore = 1.9;

export type Recall = (input: TurnInput, window: MessageWindow, taint: Taint) => Promise<string>;

/**
 * Sentences from before the window that share words with the new message; "" = none. It never makes a turn less trusted
 * than it is: words of others come back only where such words are read anyway.
 */
export function createRecall(db: Kysely<Database>): Recall {
  return async (input, window, taint) => {
    const terms = findWords(input.text, mostAsked);
    if (terms.length === 0 || window.from <= input.startPosition) return "";
    const stretch = { from: input.startPosition, upTo: window.from };
    const found = await findRemarks(db, input.session, terms, stretch);
    const seen = new Set<string>();
    const chosen: FoundRemark[] = [];
    for (const remark of found) {
      if (chosen.length === most) break;
      if (remark.score < leastScore || seen.has(remark.text) || joinTaint(labelRemark(remark, input), taint) !== taint)
        continue;
      seen.add(remark.text);
      chosen.push(remark);
    }
    return chosen
      .toSorted((a, b) => a.position - b.position)
      .map((remark) => renderRemark(remark, input.chatKind === "group"))
      .join("\n");
  };
}

function labelRemark({ speaker, taint }: FoundRemark, input: TurnInput): Taint {
  const speakers: readonly Speaker[] = [speaker];
  return labelHistory([{ role: "note", text: "", taint, turn: null, speakers }], input).taint;
}

function renderRemark({ at, role, speaker, text }: FoundRemark, inGroup: boolean): string {
  const day = new Date(at).toISOString().slice(0, 10);
  const name = inGroup ? toModelSender(speaker) : toModelName(speaker.name);
  const who = role === "user" ? name : role === "assistant" ? "you" : "record";
  return `| ${day} ${who}: ${toModelText(text.replaceAll(/\s+/g, " "))}`;
}
