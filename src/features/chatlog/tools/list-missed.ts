import { groupSenseWords } from "../../group-sense/words.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import { nameWithTag, toSender } from "../../../core/name-with-tag.ts";
import { findPerson } from "../../../kernel/gate/find-person.ts";
import { listOverheard, overheardLimits } from "../../group-sense/queries/overheard.ts";
import { listSaid } from "../queries/said.ts";
import type { Database } from "../../../store/schema/database.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";

/** Messages of the conversation that are looked at. */
const maxSearched = 400;
/** The limits of the shown talk: lines, UTF-16 units of all and of one. */
const maxLines = 100;
const maxRecordLength = 8_000;
const maxTextLength = 300;
/** Platforms report the time of a message in whole seconds. */
const sentGrainMs = 1_000;
const hourMs = 3_600_000;

interface Line {
  readonly from: string;
  readonly text: string;
  readonly at: number;
}

/** The talk of a group since the person last spoke there: to her, and among the members if she listens. */
export function createListMissedTool({
  database,
  hearsAll,
}: {
  readonly database: () => Kysely<Database>;
  /** Whether she hears what people of a platform's groups say to each other. */
  readonly hearsAll: (platform: string) => boolean;
}) {
  return defineTool({
    name: "list_missed",
    description: {
      zh: "群里从对方上一次说话到现在，别人说了什么（最多六小时）。对方问错过了什么、群里聊了什么时用，然后用自己的话概括。写 hours 就看最近几小时。",
      en: "What others said in this group since the person last spoke here (six hours at most). For “what did I miss”; then sum it up in your own words. With hours: of the last so many hours.",
    },
    input: z.strictObject({ hours: z.number().min(0.1).max(6).optional() }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    groupsOnly: true,
    place: "gateway",
    summarize: ({ hours }) => (hours === undefined ? "" : `${hours} h`),
    async run({ hours }, { chatKind, language, now, person, session, taint, turn }) {
      if (chatKind !== "group")
        return { ok: false as const, error: "There is a private chat only: nobody else has said anything here." };
      if (person.role === "guest")
        return { ok: false as const, error: "Guests may not ask for this; an owner has to let them in first." };
      const oldest = now - overheardLimits.ageMs;
      const { accounts } = await findPerson(database(), person.id);
      const { last, lines } = await collect(database(), { accounts, oldest, session, turn });
      const since = hours === undefined ? (last ?? oldest) - sentGrainMs : now - hours * hourMs;
      const missed = lines.filter(({ at }) => at >= since);
      const shown = cut(missed);
      const minutesAgo = (at: number) => Math.max(0, Math.round((now - at) / 60_000));
      const hearsOwn = !hearsAll(session.split(":")[0] ?? "");
      return {
        ok: true as const,
        output: {
          sinceMinutesAgo: minutesAgo(Math.max(since, oldest)),
          by: countBy(missed),
          messages: shown.map(({ at, from, text }) => ({ from, text, minutesAgo: minutesAgo(at) })),
          ...(missed.length > shown.length && { olderLeftOut: missed.length - shown.length }),
          ...(hearsOwn && {
            onlySaidToYou:
              "In this group you hear only what is said to you. What people said to each other is not in here, and you must say so.",
          }),
          ...(hearsOwn &&
            person.role === "owner" && {
              toHearAll: "This person may turn it on: observe: true of this channel in channels.yaml.",
            }),
        },
        message: String(missed.length),
        ...(missed.length > 0
          ? { taint: "untrusted" as const, sources: [groupSenseWords[language].overheard] }
          : { taint }),
      };
    },
  });
}

/** Collects what others said, oldest first, and when the person last spoke before this turn. */
async function collect(
  db: Kysely<Database>,
  asked: {
    readonly accounts: readonly string[];
    readonly oldest: number;
    readonly session: string;
    readonly turn: string;
  },
): Promise<{ readonly last: number | undefined; readonly lines: readonly Line[] }> {
  const { accounts, oldest, session, turn: current } = asked;
  const said = await listSaid(db, session, { limit: maxSearched, since: oldest });
  const askers = new Map<string | null, string>();
  for (const { message, turn } of said) if (message.role === "user") askers.set(turn, message.senderId);
  const own: number[] = [];
  const lines: Line[] = [];
  const add = (from: string, text: string, at: number) => {
    const line = shorten(text);
    if (line !== "") lines.push({ from, text: line, at });
  };
  for (const { at, message, turn } of said) {
    if (turn === current) continue;
    const isTheirs = accounts.includes(askers.get(turn) ?? "");
    if (isTheirs && message.role === "user") own.push(at);
    if (isTheirs) continue;
    if (message.role === "user") add(nameWithTag(toSender(message)), message.text, at);
    else if (message.calls.length === 0) add("you", message.text, at);
  }
  for (const { human, person = "", saidAt, sender, text } of await listOverheard(db, session, oldest)) {
    if (accounts.includes(person)) own.push(saidAt);
    else add(nameWithTag({ id: person, name: sender, ...(human !== undefined && { human }) }), text, saidAt);
  }
  return {
    last: own.length === 0 ? undefined : Math.max(...own),
    lines: lines.toSorted((a, b) => a.at - b.at),
  };
}

/** The newest that there is room for. */
function cut(lines: readonly Line[]): readonly Line[] {
  const newest = lines.slice(-maxLines);
  let length = 0;
  const over = newest.findLastIndex(({ from, text }) => (length += from.length + text.length) > maxRecordLength);
  return newest.slice(over + 1);
}

function countBy(lines: readonly Line[]): { readonly from: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { from } of lines) counts.set(from, (counts.get(from) ?? 0) + 1);
  return [...counts].map(([from, count]) => ({ from, count })).toSorted((a, b) => b.count - a.count);
}

function shorten(text: string): string {
  const line = text
    .slice(0, maxTextLength * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength - 1).toWellFormed()}…` : line;
}
