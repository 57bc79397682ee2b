import { randomUUID } from "node:crypto";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Alarm } from "../../core/schedule/alarm.ts";
import type { ErasedCounts } from "./erase-person.ts";
import { orderErasure } from "./order-erasure.ts";
import { findInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import { findPrivateSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { JobEnd } from "../../kernel/lanes/session-lanes.ts";

/** The request of `kurisu memory forget --all`; the answer is JSON: how much of what. */
export interface ErasePersonRequest {
  readonly kind: "erase-person";
  readonly person: string;
}

/** Forgets the human with this account (`telegram:1`), with the rights of this machine's operator; answers once it is done. */
export type EraseAsOperator = (account: string, by: string) => Promise<ErasedCounts>;

const lookMs = 100;

export function createEraseAsOperator(parts: {
  readonly store: Pick<Store, "main">;
  readonly alarm: Pick<Alarm, "ring">;
  readonly work: (item: InboxItem, signal: AbortSignal) => Promise<JobEnd>;
  /** The lanes work; else this is the only one who does. */
  readonly isStarted: () => boolean;
  readonly clock: Clock;
}): EraseAsOperator {
  const { store, clock } = parts;
  return async (account, by) => {
    const [, platform, user] = /^([^:\s]+):(\S+)$/.exec(account) ?? [];
    if (platform === undefined || user === undefined)
      throw new AppError("USAGE", `${account} is no account. Write it as PLATFORM:ID, as telegram:123.`);
    // Without a private chat no notice is sent.
    const session = (await findPrivateSession(store.main, platform, user)) ?? `${platform}:erasure:${user}`;
    const order = { account, by, session, key: randomUUID(), now: clock.now() };
    const item = await orderErasure(store.main, order);
    if (item === undefined) throw new AppError("INTERNAL", "The order to forget somebody could not be written.");
    if (parts.isStarted()) parts.alarm.ring();
    else await parts.work(item, new AbortController().signal);
    for (;;) {
      const row = await findInboxItem(store.main, item.id);
      if (row?.state === "dead") throw new AppError("INTERNAL", `${item.id} was put aside; the log says why.`);
      if (row?.state === "done") return (JSON.parse(row.payload) as { readonly erased: ErasedCounts }).erased;
      await sleep(lookMs, new AbortController().signal);
    }
  };
}
