import { createClockOffset, type ClockOffset } from "./clock-offset.ts";
import type { OneBotLink } from "./onebot-link.ts";
import { createSentMessages, type SentMessages } from "./sent-messages.ts";

/** One QQ account of ours. It outlives its connections. */
export interface Account {
  readonly id: string;
  readonly sent: SentMessages;
  readonly clockOffset: ClockOffset;
  /** The connection that speaks for it now. */
  link: OneBotLink | undefined;
  nickname: string;
  /** Name and version of the implementation. */
  implementation: string;
  /** false = QQ itself is logged out there, though the connection lives; undefined = nobody has told yet. */
  online: boolean | undefined;
  /** What is to be done with the events of each of its chats, one after the other, also across connections. */
  readonly work: Map<string, Promise<unknown>>;
  /** How many pieces of work wait. */
  waiting: number;
  /** Chats of which something may have been missed, and from when on (the platform's time, milliseconds). */
  readonly gaps: Map<string, number>;
}

export interface Accounts {
  list(): readonly Account[];
  find(id: string): Account | undefined;
  /** Makes the account if it is new. */
  open(id: string): Account;
  /** The newer connection replaces the older. */
  attach(id: string, link: OneBotLink): Account;
}

export function createAccounts(): Accounts {
  const accounts = new Map<string, Account>();

  function open(id: string): Account {
    const account = accounts.get(id) ?? {
      id,
      sent: createSentMessages(),
      clockOffset: createClockOffset(),
      link: undefined,
      nickname: "",
      implementation: "",
      online: undefined,
      work: new Map(),
      waiting: 0,
      gaps: new Map(),
    };
    accounts.set(id, account);
    return account;
  }

  return {
    list: () => [...accounts.values()],
    find: (id) => accounts.get(id),
    open,
    attach(id, link) {
      const account = open(id);
      const older = account.link;
      account.link = link;
      account.online = undefined;
      if (older !== link) older?.end({ kind: "replaced", account: id });
      return account;
    },
  };
}
