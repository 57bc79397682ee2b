import { countOf } from "../count-of.ts";
import type { Words } from "../dictionary.ts";

export const reminders: Words["reminders"] = {
  none: 'No reminders waiting. Say "remind me tomorrow at 8 to stretch", or /remind tomorrow at 8am stretch.',
  heading: (count) => `Reminders waiting (${count}):`,
  item: ({ number, when, left, text }) => `${number}. ${when} (in ${left}) ${text}`,
  repeats: (how) => `, ${how}`,
  task: "[to be done then]",
  usage: "Like this: /reminders, /reminders cancel NUMBER, /reminders zone Europe/Berlin.",
  set: ({ when, left, text }) => `Noted. ${when} (in ${left}): ${text}`,
  wake: "It's time",
  wakeUp: "wake up",
  zoneAssumed: (zone) =>
    `(Clock of ${zone}; if yours is another: /reminders zone ${zone === "Europe/Berlin" ? "America/New_York" : "Europe/Berlin"})`,
  notRunning: "No Kurisu is running now. I can call you only after `npm start`.",
  cancelled: (text) => `Cancelled: ${text}`,
  unknown: (which) => `There is no reminder ${which}; /reminders lists them.`,
  zoneIs: (zone) => `Your time zone: ${zone}. To change it: /reminders zone Asia/Tokyo.`,
  zoneSet: (zone) =>
    `Right, from now on times are those of ${zone}. Repeating reminders keep the zone they were set in.`,
  zoneFirst: (zone) => `Right, from now on times are those of ${zone}.`,
  zoneMoved: "Reminders you set by the clock keep their clock time, now in this zone:",
  zoneKept:
    "These stay at the moment they were set for (set by a length of time or with a zone of their own, or the new time would be past). In this zone that is:",
  zoneAgain: "If one is wrong: /reminders cancel NUMBER, then set it again.",
  zoneMore: (count) => `And ${count} more: /reminders shows them.`,
  zoneUnknown: (zone) => `There is no time zone ${zone}. Write it like Europe/Berlin, Asia/Shanghai or UTC+8.`,
  remindUsage: "Like this: /remind tomorrow at 8am stand-up. Or /remind every Monday at 9am weekly report.",
  noTime: "I see no time in that.",
  noText: "Remind you of what? Write it after the time: /remind tomorrow at 8am stand-up.",
  past: (when) => `${when} is already past. Give me a later time.`,
  half: ({ first, second }) => `Do you mean ${first} or ${second}? Say the whole sentence again, with am or pm.`,
  week: ({ first, second }) => `Do you mean ${first} or ${second}? Say the whole sentence again, with the date.`,
  place: (name) =>
    `I don't know the time zone of ${name}. Say the whole sentence again with a big city of that zone, or as UTC+8.`,
  ask: {
    vague: "When exactly? Say the whole sentence again: remind me in 30 minutes to stretch.",
    hour: "At what time today? Say the whole sentence again: remind me today at 4pm to call Bob.",
    lunar: "I can't set dates of the lunar calendar. Give me the ordinary date.",
    several: "That is more than one time. One sentence for each, please.",
    unread:
      "I don't understand all of that time (when it begins or ends, what is left out, which Monday of a month), and I won't guess. Say the whole sentence again, more simply.",
    range: "That is a stretch of time. Say the whole sentence again with the one hour I should remind you at.",
    day: "On which day, and at what time? Say the whole sentence again: remind me next Wednesday at 9am to hand it in.",
    impossible: "There is no such day or hour.",
  },
  fault: {
    guest: "Reminders are for people an owner has let in.",
    tooMany: (most) => `You have ${countOf(most, "reminder")} already. Cancel some first: /reminders cancel NUMBER.`,
    tooOften: (least) => `Too often: at least ${least} between two of them.`,
    past: "That time will never come.",
  },
  every: {
    day: (clock) => `every day at ${clock}`,
    workdays: (clock) => `on weekdays at ${clock}`,
    weekdays: ({ days, clock }) => `every ${days} at ${clock}`,
    month: ({ day, clock }) => `on day ${day} of every month at ${clock}`,
    monthEnd: (clock) => `on the last day of every month at ${clock}`,
    year: ({ month, day, clock }) => `every year on ${day}/${month} at ${clock}`,
    months: ({ months, day, clock }) => `on day ${day} of months ${months} at ${clock}`,
    skips: ({ how, day }) => `${how} (months without a day ${day} are skipped)`,
    leapYears: (how) => `${how} (only leap years have that day)`,
    term: (term) => `every ${term}`,
    days: (count) => (count === 1 ? "every day" : `every ${count} days`),
    cron: (cron) => `by ${cron}`,
  },
  days: (count) => (count === 1 ? "1 day" : `${count} days`),
};
