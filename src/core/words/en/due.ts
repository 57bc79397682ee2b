import { countOf } from "../count-of.ts";
/** Reminders and scheduled tasks whose time has come. */
interface Late {
  readonly when: string;
  readonly term: string;
  readonly missed: number;
}

const andMissed = (missed: number): string => (missed > 0 ? `; ${missed} more came due since, which I leave out` : "");

export const due = {
  one: (what: string) => `Time for: ${what}`,
  several: (count: number) => `Time for ${countOf(count, "thing")}:`,
  line: (what: string) => `· ${what}`,
  to: ({ name, text }: { readonly name: string; readonly text: string }) =>
    `${name}, ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
  late: ({ when, term, missed }: Late) => `(It was for ${when}, ${term} late${andMissed(missed)}.)`,
  stopped: ({ when, term, missed }: Late) => `(It was for ${when}; I was away for ${term}${andMissed(missed)}.)`,
  quiet: ({ when, missed }: Late) => `(It was for ${when}, in the quiet hours${andMissed(missed)}.)`,
  taskLate: (what: string) => `A scheduled task begins only now: ${what}`,
  stillAsking: ({ what, code }: { readonly what: string; readonly code: string }) =>
    `A scheduled task is due again: ${what}\nThe last one still waits for a confirmation (code ${code}), so I skip this one.`,
  stillWorking: (what: string) =>
    `A scheduled task is due again: ${what}\nThe last one is not done yet, so this one is skipped.`,
  overOwn: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `A scheduled task was not done: ${what}\nYour ${most} for today are used up. The others of today are not done either, and I say so only once.`,
  overAll: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `A scheduled task was not done: ${what}\nEverybody's ${most} for today are used up. The others of today are not done either, and I say so only once.`,
  broken: (what: string) =>
    `A reminder failed on my side and cannot ring, so it is cancelled: ${what}\nTell me the time again if you still want it.`,
  refusedThere: (text: string) => `This was meant for the group, which refused it, so I say it here:\n${text}`,
  refusedFor: ({ who, text, reason }: { readonly who: string; readonly text: string; readonly reason: string }) =>
    `What I had to tell ${who} was refused (${reason}). Please pass it on:\n${text}`,
  lostAccess: ({ who, what }: { readonly who: string; readonly what: string }) =>
    `A scheduled task of ${who} was not done, and is cancelled: ${what}\nThey no longer have access.`,
};

export const quiet = {
  set: ({ from, until, zone }: { readonly from: string; readonly until: string; readonly zone: string }) =>
    `Quiet hours: ${from} to ${until} every day (${zone}). What repeats waits until they end and then comes together; a reminder for one exact time always rings.`,
  off: "Quiet hours are off. I speak when it is time.",
  none: "There are no quiet hours; I speak when it is time. Set some with /quiet 23:00-07:00.",
  usage: "Write /quiet 23:00-07:00, or /quiet off.",
};
