import type { Language } from "../../core/conversation.ts";
import { findHanTime } from "../../language/time/read-han-time.ts";
import { resolveZone } from "../../core/schedule/zoned-time.ts";
import { describeTime } from "../../core/words/describe-time.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { findReason } from "../../core/words/tell-reason.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Speaker } from "./create-speaker.ts";
import { beginSentence, nameCall } from "./name-call.ts";
import type { PhraseKey } from "./phrase-keys.ts";
import { readArgument } from "./read-conversation.ts";
import type { ToolReport } from "./read-conversation.ts";
import { fence, renderOutput, renderShell } from "./render-output.ts";

/** Tells the person how one call ended, from its result as the model is given it. */
export function reportResult(report: ToolReport, say: Speaker, language: Language): string {
  const { tool, result } = report;
  if (!result.ok) {
    const printed = tool === "shell" ? renderShell(report, result.output, say) : undefined;
    const told = describeFailure(report, result, say, language);
    const path = readArgument(report, "path");
    // A file's name keeps its letters.
    return printed ?? (path !== "" && told.startsWith(path) ? told : beginSentence(told));
  }
  return renderOutput(report, result.output, say, language) ?? describeAny(report, result.output, say);
}

/** A result no rule knows, such as a server's: what it says, as it is. */
function describeAny({ tool }: ToolReport, output: unknown, say: Speaker): string {
  const text = typeof output === "string" ? output : output === undefined ? "" : JSON.stringify(output, null, 2);
  return text.trim() === ""
    ? say("toolSilent", { tool })
    : [say("toolDone", { tool }), ...fence(text, false, say)].join("\n");
}

/** The tools' own sentences, which are written for models, in her words. */
const failures: readonly (readonly [key: PhraseKey, form: RegExp])[] = [
  ["notForGuests", /^Guests may/],
  ["textMissing", /The text is not in "/],
  ["textTwice", /The text is \d+ times in/],
  ["isFolder", /is a folder; name a file/],
  [
    "placeForbidden",
    /outside (?:of )?the workspace|leads? out of|^The path (?:is absolute|leaves|has|contains|begins|points)/,
  ],
  [
    "unreachable",
    /has no address|was not found \(|could not be (?:read|opened)|ECONNREFUSED|ENOTFOUND|could not be reached/,
  ],
  ["notFound", /There is no (?:file|folder|")|does not exist|no such file|was not found/i],
  ["addressRefused", /not a public site|public addresses only|private network|can(?:not)? be opened/],
  ["tookTooLong", /took longer|did not answer within|timed out|time limit/i],
  ["searchMissing", /No search engine is set/],
  ["reminderOver", /is over; it is .{1,40} now/],
  ["reminderWhat", /^Give text: what the person/],
];

/** The question that the tool `remind` wants asked, in the words of `/remind`. */
const doubts: readonly (readonly [why: keyof Words["times"]["ask"], form: RegExp])[] = [
  ["hour", /^Nothing is set: ask the person at what hour/],
  ["lunar", /^Nothing is set: dates of the lunar calendar/],
  ["several", /^Nothing is set: that is more than one time/],
  ["impossible", /^Nothing is set: there is no such day/],
  ["unread", /^Nothing is set: a part of that time is not understood/],
  ["range", /^Nothing is set: that is a stretch of time/],
  ["day", /^Nothing is set: a week, a month or a year is named/],
];

/** 2026-11-24T03:00:00+08:00 as people read it. */
function toClock(iso: string, language: Language): string {
  const at = Date.parse(iso);
  const zone = resolveZone(iso.slice(-6));
  return Number.isNaN(at) || zone === undefined ? iso : describeTime(at, zone, language, at);
}

const maxExampleLength = 60;

/** The whole sentence that would do: an answer alone is not understood, since each message is read by itself. */
function writeExample(report: ToolReport, say: Speaker, language: Language): string {
  const written = readArgument(report, "at").replace(/[\s。.!！?？]{1,9}$/, "");
  const spans = findHanTime(written)?.spans ?? [];
  const words = spans.reduceRight((text, { from, to }) => text.slice(0, from) + text.slice(to), written).trim();
  const isLatin = /^[a-z]/i.test(words);
  const isUsable = words !== "" && words.length <= maxExampleLength && isLatin === (language === "en");
  const usual = { zh: "提醒我喝水", en: "remind me to stretch", ja: "休憩をリマインドして" }[language];
  return say("reminderExample", { words: isUsable ? words : usual });
}

function describeFailure(
  report: ToolReport,
  { error, status }: { readonly error: string; readonly status?: string | undefined },
  say: Speaker,
  language: Language,
): string {
  const reason = error.trim().slice(0, 600);
  const what = nameCall(report, language);
  // The sentence itself is for models; people have words for it in their language.
  const found = findReason(reason, language);
  const told = found === reason ? undefined : found;
  switch (status) {
    case "unknown":
      return say("unknown", { what });
    case "rejected":
    case "cancelled":
      return say("rejected", { what });
    case "expired":
      return say("expired", { what });
    case "denied":
      if (/\b(?:expired|deadline)\b|过期/i.test(reason)) return say("expired", { what });
      if (/\bperson\b.{0,60}\b(?:no|refused|rejected|declined|cancell?ed)\b|取消|拒绝/i.test(reason))
        return say("rejected", { what });
      return told ?? say("denied", { what });
    case undefined:
    default: {
      const [, first, second] =
        /^Nothing is set: ask the person whether they mean (\S{1,40}) or (\S{1,40})\.$/.exec(reason) ?? [];
      if (first !== undefined && second !== undefined)
        return say("reminderHalf", { first: toClock(first, language), second: toClock(second, language) });
      const texts = wordsFor(language).times;
      const [, sooner, later] =
        /^Nothing is set: ask the person whether they mean the day of (\S{1,40}) or of (\S{1,40})\.$/.exec(reason) ??
        [];
      if (sooner !== undefined && later !== undefined)
        return texts.week({ first: toClock(sooner, language), second: toClock(later, language) });
      const place = /^Nothing is set: the time zone of "([^"\n]{1,60})" is not known/.exec(reason)?.[1];
      if (place !== undefined) return texts.place(place);
      if (/^Nothing is set: ask the person when|names no time/.test(reason))
        return say("reminderWhen", { example: writeExample(report, say, language) });
      const doubt = doubts.find(([, form]) => form.test(reason))?.[0];
      if (doubt !== undefined) return texts.ask[doubt];
      const key = failures.find(([, form]) => form.test(reason))?.[0];
      if (key !== undefined) return say(key, { what, path: readArgument(report, "path") });
      if (told !== undefined) return told;
      return say("toolFailed", { what, reason: reason.replaceAll(/[`\s]{1,40}/g, " ").slice(0, 200) });
    }
  }
}
