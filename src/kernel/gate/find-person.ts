import type { Kysely } from "kysely";
import { listLinksAround, type AccountLink } from "../../store/queries/account-links.ts";
import type { Database } from "../../store/schema/database.ts";

/** One human with all their accounts, seen from one of these. Ids are `<platform>:<user>`. */
export interface LinkedPerson {
  /** The same for each of their accounts; of somebody with one account that account. */
  readonly human: string;
  /** Their accounts now, this one among them. */
  readonly accounts: readonly string[];
  /** The accounts whose rights this one has: its own, and where it was linked by both sides, those that were, too. */
  readonly acting: readonly string[];
  /** Accounts that were theirs at any time since then: unlinking makes no second person of what was asked before. */
  readonly since: (at: number) => readonly string[];
}

/** The owner of an account. A fault of the store is thrown: nobody may take two accounts for two people because of it. */
export async function findPerson(db: Kysely<Database>, account: string): Promise<LinkedPerson> {
  return toPerson(account, await listLinksAround(db, [account]));
}

/** Somebody with one account. */
export function aloneAs(account: string): LinkedPerson {
  return toPerson(account, []);
}

/** How many different humans these are, as of then. */
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

/** The owner of an account, by all links of everybody whom it ever belonged to. */
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
