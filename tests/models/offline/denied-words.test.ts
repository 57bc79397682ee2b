import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { Language } from "../../../src/core/conversation.ts";
import { composeReply } from "../../../src/models/offline/compose-reply.ts";
import { offlinePhrasesSchema } from "../../../src/models/offline/phrases.ts";

/** What the offline model says in this language about a write that was denied for this reason. */
function wordDenial(error: string, language: Language): string {
  const messages = [
    new HumanMessage("write hello to a.txt"),
    new AIMessage({ content: "", tool_calls: [{ id: "1.1", name: "file_write", args: { path: "a.txt" } }] }),
    new ToolMessage({ tool_call_id: "1.1", content: JSON.stringify({ ok: false, status: "denied", error }) }),
  ];
  return composeReply({ messages, tools: ["file_write"], language, phrases: offlinePhrasesSchema.parse({}) }).text;
}

const asked = "Exactly this call was asked already as K7 and waits for the person's answer. Do not ask it again.";
const askedNow =
  "Exactly this call was asked already in this same round and waits for the person's answer. Do not ask it again.";
const planMode =
  "Plan mode: nothing is changed or run. Go on by reading, then put the plan to the person; they turn it off with /act.";
const planFolder =
  "Plan mode: nothing is changed or run outside of notes/plans. Go on by reading, then put the plan to the person; they turn it off with /act.";

describe("the offline model's words for a denied call", () => {
  test.each<readonly [reason: string, language: Language, told: RegExp]>([
    [asked, "zh", /问过了，编号 K7，还在等答复/],
    [asked, "en", /^I asked you about this already: K7 still waits for an answer\.$/],
    [asked, "ja", /もう聞いてある（K7）。返事待ち/],
    [askedNow, "zh", /刚刚问过了，还在等答复/],
    [askedNow, "en", /still waits for an answer/],
    [askedNow, "ja", /返事待ち/],
    [planMode, "zh", /计划模式.*\/act/],
    [planMode, "en", /^This is plan mode: I only look and change nothing\. To have it done, send \/act\.$/],
    [planMode, "ja", /計画モード.*\/act/],
    [planFolder, "zh", /计划模式.*notes\/plans.*\/act/],
    [planFolder, "en", /plan mode: I only change files in notes\/plans\..*\/act/],
    [planFolder, "ja", /計画モード.*notes\/plans.*\/act/],
    [planFolder, "en", /^(?!.*rules)/],
    [askedNow, "en", /^(?!.*rules)/],
    ["no rule allows it", "en", /rules don't allow/],
  ])("%s is told in %s as %s", (reason, language, told) => {
    expect(wordDenial(reason, language)).toMatch(told);
  });
});
