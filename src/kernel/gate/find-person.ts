import type { Kysely } from "kysely";
import { listLinksAround, type AccountLink } from "../../store/queries/account-links.ts";
import type { Database } from "../../store/schema/database.ts";

/** A human with all their accounts, seen from one of them. Ids are `<platform>:<user>`. */
export interface LinkedPerson {
  /** Shared by all of their accounts. With a single account, that account. */
  readonly human: string;
  /** Their current accounts, including this one. */
  readonly accounts: readonly string[];
  /** The accounts whose rights this one has: its own, and those linked by consent of both sides. */
  readonly acting: readonly string[];
  /**
   * Accounts that belonged to the person at any time since `at`: unlinking must not create a second person for earlier
   * questions.
   */
  readonly since: (at: number) => readonly string[];
}

/** Finds the person behind an account. Throws on a store error: it must not make two accounts look like two people. */
export async function findPerson(db: Kysely<Database>, account: string): Promise<LinkedPerson> {
  return toPerson(account, await listLinksAround(db, [account]));
}

/** A person with a single account. */
export function aloneAs(account: string): LinkedPerson {
  return toPerson(account, []);
}

/** How many different people owned these accounts at that time. */
export async function countPeople(db: Kysely<Database>, accounts: readonly string[], since: number): Promise<number> {
  if (accounts.length === 0) return 0;
  const links = await listLinksAround(db, accounts);
  const counted: string[] = [];
  for (const account of accounts) {
    const same = toPerson(account, links).since(since);
    if (!counted.some((one) => same.includes(one))) counted.push(account);
  }
  return counted.length;
}

/** The person behind an account, from all links of everyone the account ever belonged to. */
export function toPerson(account: string, links: readonly AccountLink[]): LinkedPerson {
  const living = links.filter((link) => link.ended_at === null);
  const own = living.find((link) => link.account === account);
  const human = own?.human;
  const theirs = living.filter((link) => human !== undefined && link.human === human);
  const others = (of: readonly AccountLink[]) => [...new Set([account, ...of.map((link) => link.account)])];
  return {
    human: human ?? account,
    accounts: others(theirs),
    acting: others(own?.acts === 1 ? theirs.filter((link) => link.acts === 1) : []),
    since(at) {
      const lasted = links.filter((link) => link.ended_at === null || link.ended_at >= at);
      const humans = new Set(lasted.filter((link) => link.account === account).map((link) => link.human));
      return others(lasted.filter((link) => humans.has(link.human)));
    },
  };
}
