import type { Words } from "../dictionary.ts";

export const times: Words["times"] = {
  item: ({ number, when, left, text }) => `${number}. ${when} (in ${left}) ${text}`,
  repeats: (how) => `, ${how}`,
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
