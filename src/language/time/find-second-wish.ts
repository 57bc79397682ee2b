import { findHanTime } from "./read-han-time.ts";

const hanRequest = /提醒|叫我|喊我|通知我|リマインド|知らせて|起こして/;
const hanBreak = /[；;。，,、\n]|然后|然後|接着|还有|另外|それから|そして/;
const englishBreak = /[;.,\n]|\band\b|\bthen\b/i;
const englishTime =
  /^\s*(?:also\s+|then\s+|once\s+more\s+|again\s+)?(?:please\s+)?(?:remind me\s+)?(?:again\s+)?(?:in\s+(?:\d{1,4}|an?|two|three|five|ten|half an)\s+(?:second|minute|min|hour|day|week)s?\b|at\s+\d{1,2}(?::\d{2}|\s?[ap]m)|(?:tomorrow|tonight)\b.{0,40}\bremind)/i;

/** Whether the words next to a time ask for a second reminder: 「…；十分钟后再提醒我一次」, "… and again in 10 minutes". */
export function findSecondWish(rest: string): boolean {
  const [, ...clauses] = rest.split(hanBreak);
  if (clauses.some((clause) => hanRequest.test(clause) && beginsWithTime(clause))) return true;
  const [, ...others] = rest.split(englishBreak);
  return others.some((clause) => englishTime.test(clause));
}

function beginsWithTime(clause: string): boolean {
  const found = findHanTime(clause);
  if (found === undefined || (found.spans[0]?.from ?? 9) > 2) return false;
  return (found.parts.after ?? found.parts.clocks ?? found.parts.day ?? found.parts.part) !== undefined;
}
