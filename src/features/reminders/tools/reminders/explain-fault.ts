import { describeDuration } from "../../../../core/words/describe-duration.ts";
import type { LimitFault } from "../../find-limit-fault.ts";
import type { ScheduleFault } from "../../../../language/time/read-schedule.ts";
import { formatIso } from "../../../../core/schedule/zoned-time.ts";
import type { ReminderFault } from "./set-reminder.ts";

interface Where {
  readonly zone: string;
  readonly now: number;
}

/** Why a reminder was not set and what to do, for the model. */
export function explainFault(fault: ReminderFault, where: Where): string {
  switch (fault.kind) {
    case "schedule":
      return explainSchedule(fault.fault, where);
    case "limit":
      return explainLimit(fault.fault);
    case "no-text":
      return "Give text: what the person is to be reminded of.";
    case "unknown":
      return "No reminder with that id is waiting; list_reminders shows the ids.";
    case "others":
      return "That reminder is somebody else's. Only an owner may change it, with others=true, and is asked first.";
  }
}

function explainSchedule(fault: ScheduleFault, { now, zone }: Where): string {
  switch (fault.kind) {
    case "which":
      return "Give exactly one of at, every and cron (at with every = the first time).";
    case "cron":
      return `The cron expression cannot be read: ${fault.why}`;
    case "no-time":
      return `"${fault.text}" names no time that can be read; write ISO 8601 such as ${formatIso(now + 3_600_000, zone)}.`;
    case "past":
      return `${formatIso(fault.at, zone)} is over; it is ${formatIso(now, zone)} now. Take a later time, or ask which one they mean.`;
    case "ask":
      return explainDoubt(fault, zone);
  }
}

function explainDoubt(fault: Extract<ScheduleFault, { kind: "ask" }>, zone: string): string {
  switch (fault.why) {
    case "week": {
      const [first, second] = fault.options.map((at) => formatIso(at, zone));
      return `Nothing is set: ask the person whether they mean the day of ${first} or of ${second}.`;
    }
    case "half": {
      const [first, second] = fault.options.map((at) => formatIso(at, zone));
      return `Nothing is set: ask the person whether they mean ${first} or ${second}.`;
    }
    case "place":
      return `Nothing is set: the time zone of ${JSON.stringify(fault.place)} is not known. Write the time with its offset from UTC, or ask the person for a big city of that zone.`;
    case "vague":
      return "Nothing is set: ask the person when exactly, in how many minutes or at what hour.";
    case "hour":
      return "Nothing is set: ask the person at what hour.";
    case "lunar":
      return "Nothing is set: dates of the lunar calendar are not taken. Ask for the date of the solar calendar.";
    case "several":
      return "Nothing is set: that is more than one time. Set one reminder for each; ask if the hours are not clear.";
    case "unread":
      return "Nothing is set: a part of that time is not understood, such as when it begins or ends, what is left out, or the first Monday of a month. Write cron if it can say all of it, else ask for something simpler.";
    case "range":
      return "Nothing is set: that is a stretch of time. Ask the person at which hour to remind them, or take its beginning if they said so.";
    case "day":
      return "Nothing is set: a week, a month or a year is named without a day. Ask on which day and at what hour.";
    case "impossible":
      return "Nothing is set: there is no such day or hour. Ask which one they mean.";
  }
}

function explainLimit(fault: LimitFault): string {
  switch (fault.kind) {
    case "guest":
      return "Guests cannot set reminders; ask somebody the owner has let in.";
    case "too-many":
      return `This person has ${fault.most} reminders, which is the most; cancel one first (cancel_reminder).`;
    case "too-often":
      return `That is too often: at least ${describeDuration(fault.leastMs, "en")} between two times.`;
    case "past":
      return "All its times are over; take a later one.";
  }
}
