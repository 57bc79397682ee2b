import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import type { Person } from "../gate/types.ts";
import { type InboxItem, listUnfinishedInbox, withdrawInboxItem } from "../../store/queries/inbox.ts";
import { dropOtherLiveItems } from "../../store/queries/outbox.ts";
import { listDecidedQuestions, listOpenQuestions } from "../../store/queries/questions.ts";
import { listTurns, revokeTurn, type TurnRow } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { ParkedTurns } from "../questions/parked-turns.ts";
import { isSaid, type ResumeJob } from "../lanes/jobs.ts";
import type { Tasks } from "../tasks/tasks.ts";

/** How long a stopped turn may take to record its stop, in milliseconds. */
const graceMs = 10_000;
const lookMs = 50;

/** The human whose work ends, and the account named in the request. */
interface StoppedPerson {
  readonly account: string;
  /** The account that requested it. */
  readonly by: string;
  readonly accounts: readonly string[];
  readonly humans: readonly string[];
  /** Milliseconds since 1970; work that began later continues. */
  readonly before: number;
}

/** Ends a person's running and waiting work in every chat. Called again after a crash, it finds the rest. */
export type StopPerson = (person: StoppedPerson, signal: AbortSignal) => Promise<void>;

export function createStopPerson(parts: {
  readonly store: Pick<Store, "main" | "turnCheckpoints">;
  readonly parked: Pick<ParkedTurns, "end" | "revokeDecision">;
  readonly tasks: Pick<Tasks, "stopAll">;
  readonly abort: (session: string, which: (job: InboxItem) => boolean) => boolean;
  readonly clock: Clock;
}): StopPerson {
  const { store, parked, clock } = parts;

  const listTheirs = async ({ accounts, before }: StoppedPerson): Promise<readonly TurnRow[]> =>
    (await listTurns(store.main, ["running", "parked"])).filter(
      ({ createdAt, input }) =>
        createdAt <= before && accounts.includes((JSON.parse(input) as { readonly person: Person }).person.id),
    );

  async function withdrawSaid({ accounts, before, humans }: StoppedPerson): Promise<void> {
    for (const item of await listUnfinishedInbox(store.main)) {
      const isTheirs = item.requester !== null && [...accounts, ...humans].includes(item.requester);
      if (isSaid(item) && isTheirs && item.createdAt < before)
        await withdrawInboxItem(store.main, item.id, clock.now());
    }
  }

  /** The worker is gone or does not react: revokes its right to write. */
  async function revoke({ id }: TurnRow): Promise<void> {
    await store.main.transaction().execute(async (tx) => {
      await revokeTurn(tx, id, "stopped", clock.now());
      await dropOtherLiveItems(tx, id, "", clock.now());
    });
    await store.turnCheckpoints.remove(id);
  }

  return async (stopped, signal) => {
    await withdrawSaid(stopped);
    for (const question of await listOpenQuestions(store.main))
      if (stopped.accounts.includes(question.asker)) await parked.end(question, "stop", stopped.by);
    const person: Person = { id: stopped.account, name: "", role: "member" };
    const sessions = new Set((await listTheirs(stopped)).map((turn) => turn.session));
    for (const session of sessions) await parts.tasks.stopAll(session, person, "stop");
    for (const turn of await listTheirs(stopped)) {
      const answered = turn.state === "parked" && (await listDecidedQuestions(store.main, turn.id)).at(-1);
      if (answered) await parked.revokeDecision(answered);
      parts.abort(turn.session, (item) => item.id === turn.inbox || resumes(item, turn));
    }
    for (let waited = 0; waited < graceMs && (await listTheirs(stopped)).length > 0; waited += lookMs)
      await sleep(lookMs, signal);
    signal.throwIfAborted();
    for (const turn of await listTheirs(stopped)) await revoke(turn);
  };
}

function resumes({ kind, payload }: InboxItem, { id }: TurnRow): boolean {
  return kind === "resume" && (JSON.parse(payload) as ResumeJob).turn === id;
}
