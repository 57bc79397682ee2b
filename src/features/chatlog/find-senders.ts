import type { Kysely } from "kysely";
import { nameWithTag } from "../../core/name-with-tag.ts";
import { listLogSenders, type LogSender } from "./queries/chat-log-people.ts";
import type { Database } from "../../store/schema/database.ts";
import { foldText } from "../../store/search/fold-text.ts";

export type FoundSenders =
  /** One person, with every name and account that they spoke under. */
  | { readonly kind: "found"; readonly senders: readonly LogSender[] }
  | { readonly kind: "none" }
  /** Their names, made distinct by tags. */
  | { readonly kind: "several"; readonly names: readonly string[] };

const selves: ReadonlySet<string> = new Set("我 我自己 自己 本人 me myself i 私 僕 仆 俺 自分".split(" "));
const addressed: ReadonlySet<string> = new Set("你 妳 你自己 you yourself あなた 君 きみ".split(" "));
const maxNamed = 8;

/** Finds people by a name with its tag, an account, a name, a part of one, or 我; `her` = her names, or 你. */
export async function findSenders(
  db: Kysely<Database>,
  chats: readonly number[],
  asked: { readonly person: string; readonly accounts: readonly string[]; readonly her: readonly string[] },
): Promise<FoundSenders> {
  const everybody = await listLogSenders(db, chats);
  const wanted = foldText(asked.person.trim()).replace(/^@/, "");
  if (wanted === "") return { kind: "none" };
  if (selves.has(wanted))
    return toFound(
      everybody.filter(({ person }) => asked.accounts.includes(person)),
      everybody,
    );
  const her = asked.her.map(foldText);
  if (addressed.has(wanted) || her.includes(wanted)) return toFound(everybody.filter(isHer), everybody);
  const ways = [
    (one: LogSender) => foldText(tagged(one)) === wanted || (one.person !== "" && foldText(one.person) === wanted),
    (one: LogSender) => foldText(one.name) === wanted,
    (one: LogSender) => foldText(one.name).includes(wanted),
  ];
  for (const isMeant of ways) {
    const meant = everybody.filter(isMeant);
    if (meant.length > 0) return toFound(meant, everybody);
  }
  return { kind: "none" };
}

/** Her own words stand under no account and no name. */
export function isHer({ name, person }: Pick<LogSender, "name" | "person">): boolean {
  return person === "" && name === "";
}

/** A sender without an account, from an import, is identified by their place in the log. */
export function tagged({ human, id, name, person }: LogSender): string {
  return nameWithTag({ id: person === "" ? `log:${id}` : person, name, ...(human !== undefined && { human }) });
}

function toFound(meant: readonly LogSender[], everybody: readonly LogSender[]): FoundSenders {
  const people = Map.groupBy(meant, identify);
  if (people.size === 0) return { kind: "none" };
  if (people.size > 1)
    return {
      kind: "several",
      names: [...people.values()].flatMap(([one]) => (one ? [tagged(one)] : [])).slice(0, maxNamed),
    };
  const [same] = people.keys();
  return { kind: "found", senders: everybody.filter((one) => identify(one) === same) };
}

/** All accounts and names of one human are one. */
export function identify({ human, id, person }: LogSender): string {
  return human ?? (person === "" ? `log:${id}` : person);
}
