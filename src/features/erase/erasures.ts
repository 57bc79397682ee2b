import { eraseWords } from "./words.ts";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { Alarm } from "../../core/schedule/alarm.ts";
import { createWakeLoop } from "../../core/schedule/wake-loop.ts";
import { type ErasedCounts, erasePerson } from "./erase-person.ts";
import type { ErasureJob } from "./order-erasure.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { findInboxItem, setInboxRunning, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { hasOtherChats, listOwnImports, listPrivateSessions } from "./queries/find-human.ts";
import type { ErasedKind } from "../../store/tables/person-table.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { SessionSnapshots } from "../../workspace/snapshots/session-snapshots.ts";
import type { Channel } from "../../channels/types.ts";
import { toAddress } from "../../channels/to-address.ts";
import { isShutdown, type JobEnd } from "../../kernel/lanes/session-lanes.ts";
import type { StopPerson } from "../../kernel/pause/stop-person.ts";
import { queueMessage } from "../../kernel/outbox/outbox.ts";

/** The longest wait for a message that is just being sent to the chat. */
const sendingMs = 5_000;
const lookMs = 50;
/** An order of another process is found at least this often. */
const lookAgainMs = 60_000;

/**
 * Erases people: an order in the inbox, carried out once and completely, in the lane of the chat that asked, then
 * reported there.
 */
export interface Erasures {
  start(): void;
  stop(): Promise<void>;
  work(item: InboxItem, signal: AbortSignal): Promise<JobEnd>;
}

export function createErasures(parts: {
  readonly store: Store;
  /** Rings when one was ordered. */
  readonly alarm: Alarm;
  /** Takes up every order that no job is processing. Never throws. */
  readonly takeOrders: () => Promise<void>;
  readonly stopPerson: StopPerson;
  readonly endWork: (session: string) => void;
  readonly workspace: Pick<Workspace, "erase" | "readText" | "write">;
  /** The copies of session files in the database, from which an emptied file disappears as well. Absent on SQLite. */
  readonly snapshots?: Pick<SessionSnapshots, "save">;
  /** Removes files on their way out whose message is gone. */
  readonly sweepOutgoing: () => Promise<void>;
  readonly findChannel: (platform: string) => Pick<Channel, "eraseFiles"> | undefined;
  readonly isSending: (session: string) => Promise<boolean>;
  readonly wakeOutbox: (session: string) => void;
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info">;
}): Erasures {
  const { store, clock } = parts;
  const loop = createWakeLoop({ look: () => parts.takeOrders().then(() => lookAgainMs), alarm: parts.alarm });

  const save = async (db: Kysely<Database>, item: InboxItem, job: ErasureJob): Promise<void> => {
    await db
      .updateTable("inbox")
      .set({ payload: JSON.stringify(job) })
      .where("id", "=", item.id)
      .execute();
  };

  async function readJob(item: InboxItem): Promise<ErasureJob> {
    const row = await findInboxItem(store.main, item.id);
    return JSON.parse(row?.payload ?? item.payload) as ErasureJob;
  }

  /** Chats and imports of this person alone are determined once: after the erasure that is no longer possible. */
  async function begin(item: InboxItem): Promise<ErasureJob & Required<Pick<ErasureJob, "found">>> {
    const job = await readJob(item);
    if (job.found !== undefined) return { ...job, found: job.found };
    const { accounts } = job;
    const chats = await listPrivateSessions(store.main, accounts);
    const found = { chats, imports: await listOwnImports(store.main, accounts) };
    await save(store.main, item, { ...job, found });
    return { ...job, found };
  }

  async function erase(item: InboxItem, signal: AbortSignal): Promise<void> {
    const job = await begin(item);
    const { found } = job;
    await parts.stopPerson(job, signal);
    for (let waited = 0; waited < sendingMs && (await parts.isSending(item.session)); waited += lookMs)
      await sleep(lookMs, signal);
    let { counts } = job;
    const note = async (tx: Kysely<Database>, kind: ErasedKind, count: number): Promise<void> => {
      const next = { ...counts, [kind]: (counts[kind] ?? 0) + count };
      await save(tx, item, { ...job, counts: next });
      counts = next;
    };
    const { accounts, before, humans, shared = [] } = job;
    // As the budget writes days.
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: parts.zone() }).format(clock.now());
    await store.usage.flush();
    const { workspace } = parts;
    const results = {
      async holds(session: string, path: string, texts: readonly string[]): Promise<boolean> {
        const read = await workspace.readText(session, path);
        return read.ok && texts.some((text) => read.text.includes(text));
      },
      async empty(session: string, path: string): Promise<void> {
        await workspace.write(session, path, "", "write");
        await parts.snapshots?.save(session);
      },
    };
    const now = () => clock.now();
    const whose = { accounts, humans, shared, before, ...found };
    await erasePerson(store, whose, { note, today, now, signal, results });
    for (const session of found.chats) {
      parts.endWork(session);
      const files = await parts.workspace.erase(session);
      if (files > 0) await store.main.transaction().execute((tx) => note(tx, "files", files));
    }
    const kept = await eraseKept(accounts, found.chats);
    if (kept > 0) await store.main.transaction().execute((tx) => note(tx, "files", kept));
    await parts.sweepOutgoing();
    await store.wipe();
    await finish(item, job, counts);
  }

  /** Files that channels keep. */
  async function eraseKept(accounts: readonly string[], chats: readonly string[]): Promise<number> {
    let count = 0;
    for (const [platform, theirs = []] of Object.entries(Object.groupBy(accounts, platformOf))) {
      const channel = parts.findChannel(platform);
      if (channel?.eraseFiles === undefined) continue;
      const users = theirs.map((account) => account.slice(platform.length + 1));
      const alone = !(await hasOtherChats(store.main, platform, chats));
      count += await channel.eraseFiles(users, alone);
    }
    return count;
  }

  /** The end, the receipt and the record: a crash leaves all of it or nothing. */
  async function finish(item: InboxItem, { account, by, found }: ErasureJob, counts: ErasedCounts): Promise<void> {
    await store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      const session = await findSession(tx, item.session);
      const detail = { person: account, counts: { ...counts } };
      await appendAudit(tx, { actor: by, action: "person.erased", session: item.session, detail, now });
      if (session) {
        const erasure = eraseWords[session.language as Language];
        const isWhole = found?.chats.includes(session.id) === true;
        // A group reads along: how much there was in private chats must not be shown there.
        const text = erasure.receipt({ ...(session.chat_kind === "private" && { counts }), isWhole });
        const message = { id: `${item.id}.receipt`, kind: "notice", address: toAddress(session), text } as const;
        await queueMessage(tx, { ...message, plain: true, cause: item.id }, now);
      }
      const done = { erased: { ...counts } };
      await tx
        .updateTable("inbox")
        .set({ payload: JSON.stringify(done) })
        .where("id", "=", item.id)
        .execute();
      await setInboxState(tx, item.id, "done", now);
    });
    parts.log.info({ counts }, "somebody was forgotten");
    parts.wakeOutbox(item.session);
  }

  return {
    start: () => void loop.ring(),
    stop: loop.stop,
    async work(item, signal) {
      // The order was approved: /stop does not end it, and the next start resumes it after a shutdown.
      const ends = new AbortController();
      const end = (): void => {
        if (isShutdown(signal)) ends.abort(signal.reason);
      };
      end();
      signal.addEventListener("abort", end);
      try {
        if (ends.signal.aborted) return "ended";
        await setInboxRunning(store.main, item.id);
        await erase(item, ends.signal);
      } catch (error) {
        if (!ends.signal.aborted) throw error;
      } finally {
        signal.removeEventListener("abort", end);
      }
      return "ended";
    },
  };
}

function platformOf(account: string): string {
  return account.slice(0, account.indexOf(":"));
}
