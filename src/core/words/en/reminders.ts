import type { Words } from "../dictionary.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export const reminders: Words["reminders"] = {
  none: 'No reminders waiting. Say "remind me tomorrow at 8 to stretch", or /remind tomorrow at 8am stretch.',
  heading: (count) => `Reminders waiting (${count}):`,
  item: ({ number, when, left, text }) => `${number}. ${when} (in ${left}) ${text}`,
  repeats: (how) => `, ${how}`,
  task: "[to be done then]",
  usage: "Like this: /reminders, /reminders cancel NUMBER, /reminders zone Europe/Berlin.",
  set: ({ when, left, text }) => `Noted. ${when} (in ${left}): ${text}`,
  cancelled: (text) => `No reminder any more: ${text}`,
  unknown: (which) => `There is no reminder ${which}; /reminders lists them.`,
  zoneIs: (zone) => `Your time zone: ${zone}. To change it: /reminders zone Asia/Tokyo.`,
  zoneSet: (zone) =>
    `Right, from now on times are those of ${zone}. What already comes back keeps the zone it was set in.`,
  zoneUnknown: (zone) => `There is no time zone ${zone}. Write it like Europe/Berlin, Asia/Shanghai or UTC+8.`,
  remindUsage: "Like this: /remind tomorrow at 8am stand-up. Or /remind every Monday at 9am weekly report.",
  noText: "Of what? Write it behind the time: /remind tomorrow at 8am stand-up.",
  past: (when) => `${when} is over. Name a later time.`,
  half: ({ first, second }) => `Do you mean ${first} or ${second}? Say am or pm and I set it.`,
  ask: {
    vague: "I need a time I can look at a clock for: in how many minutes, or at what hour.",
    hour: "Today at what time?",
    lunar: "I do not set dates of the lunar calendar. Give me the date of the usual one.",
    several: "That is more than one time. One after the other.",
    impossible: "There is no such day, or no such hour.",
  },
  fault: {
    guest: "Reminders are for people the owner has let in.",
    tooMany: (most) => `You have ${most} reminders already. Cancel some first: /reminders cancel NUMBER.`,
    tooOften: (least) => `Too often: at least ${least} between two of them.`,
    past: "That time never comes any more.",
  },
  every: {
    day: (clock) => `every day at ${clock}`,
    workdays: (clock) => `on weekdays at ${clock}`,
    weekdays: (days, clock) => `every ${days.map((day) => weekdays[day] ?? "").join(", ")} at ${clock}`,
    month: (day, clock) => `on day ${day} of every month at ${clock}`,
    monthEnd: (clock) => `on the last day of every month at ${clock}`,
    year: (month, day, clock) => `every year on ${day}/${month} at ${clock}`,
    term: (term) => `every ${term}`,
    days: (count) => (count === 1 ? "every day" : `every ${count} days`),
    cron: (cron) => `by ${cron}`,
  },
  days: (count) => (count === 1 ? "1 day" : `${count} days`),
};
