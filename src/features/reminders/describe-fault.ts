import type { Language } from "../../core/conversation.ts";
import { describeDuration } from "../../core/words/describe-duration.ts";
import { describeTime } from "../../core/words/describe-time.ts";
import { joinSentences } from "../../core/words/join-sentences.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { ReminderFault } from "./tools/reminders/set-reminder.ts";
import { reminderWords } from "./words.ts";

/** Why a time cannot be set, for the one who named it. */
export function describeFault(fault: ReminderFault, zone: string, language: Language, now: number): string {
  const texts = reminderWords[language];
  const asked = wordsFor(language).times;
  const tell = (at: number): string => describeTime(at, zone, language, now);
  if (fault.kind === "no-text") return texts.noText;
  if (fault.kind === "limit") return describeLimit(fault.fault, language);
  if (fault.kind !== "schedule") return texts.remindUsage;
  switch (fault.fault.kind) {
    case "past":
      return texts.past(tell(fault.fault.at));
    case "ask": {
      const doubt = fault.fault;
      if (doubt.why === "place") return asked.place(doubt.place);
      if (doubt.why !== "half" && doubt.why !== "week") return asked.ask[doubt.why];
      const [first, second] = doubt.options;
      return (doubt.why === "half" ? texts.half : asked.week)({ first: tell(first), second: tell(second) });
    }
    case "no-time":
      return joinSentences([texts.noTime, texts.remindUsage], language);
    case "cron":
    case "which":
      return texts.remindUsage;
  }
}

function describeLimit(fault: Extract<ReminderFault, { kind: "limit" }>["fault"], language: Language): string {
  const texts = reminderWords[language].fault;
  switch (fault.kind) {
    case "guest":
      return texts.guest;
    case "too-many":
      return texts.tooMany(fault.most);
    case "too-often":
      return texts.tooOften(describeDuration(fault.leastMs, language));
    case "past":
      return texts.past;
  }
}
