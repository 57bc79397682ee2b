import type { OutboundMessage } from "../../channels/types.ts";
import type { Clock } from "../../core/clock.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { dropDeadLetter, findDeadLetter, reviveDeadLetter } from "../../store/queries/dead-letters.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../gate/types.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { OutgoingFiles } from "../outbox/outgoing-files.ts";
import type { ChangeRole } from "../people/change-role.ts";
import type { KillSwitch } from "../pause/kill-switch.ts";

/** The actions of an owner on the whole of Kurisu in the web console. `login` is the id of the login. */
export interface SystemActions {
  /** As /stop all. False when everything was paused already. */
  pause(login: string): Promise<boolean>;
  /** As /resume, with `drop` as /resume drop. Undefined when nothing was paused, else the kept messages. */
  resume(login: string, drop: boolean): Promise<number | undefined>;
  /**
   * Sends a message again that its platform did not take. `question` = it asked something, and the question has ended;
   * `file` = its file is no longer kept.
   */
  retryLetter(id: string, login: string): Promise<"queued" | "unknown" | "question" | "file">;
  dropLetter(id: string, login: string): Promise<"dropped" | "unknown">;
  /** As /trust and /untrust; `none` takes the role. */
  changeRole(person: Parameters<ChangeRole>[0], to: Parameters<ChangeRole>[1], login: string): ReturnType<ChangeRole>;
}

const owner: Person = { id: consoleOwner, name: "", role: "owner" };

export function createSystemActions({
  changeRole,
  killSwitch,
  outbox,
  outgoing,
  store,
  clock,
}: {
  readonly changeRole: ChangeRole;
  readonly killSwitch: Pick<KillSwitch, "pull" | "release">;
  readonly outbox: Pick<Outbox, "wake">;
  readonly outgoing: Pick<OutgoingFiles, "has">;
  readonly store: Store;
  readonly clock: Clock;
}): SystemActions {
  const audit = (db: Parameters<typeof appendAudit>[0], action: string, session: string, id: string, login: string) =>
    appendAudit(db, { actor: consoleOwner, action, session, detail: { message: id, login }, now: clock.now() });

  return {
    changeRole: (person, to, login) => changeRole(person, to, { actor: consoleOwner, login }),
    pause: (login) => killSwitch.pull(owner, { login }),
    resume: (login, drop) => killSwitch.release(owner, drop, { login }),
    async retryLetter(id, login) {
      const letter = await findDeadLetter(store.main, id);
      if (letter === undefined) return "unknown";
      const { file, question, standsFor } = JSON.parse(letter.payload) as OutboundMessage;
      if (question !== undefined || standsFor !== undefined) return "question";
      if (file !== undefined && !(await outgoing.has(id))) return "file";
      const isQueued = await store.main.transaction().execute(async (tx) => {
        if (!(await reviveDeadLetter(tx, id, clock.now()))) return false;
        await audit(tx, "outbox.retried", letter.session, id, login);
        return true;
      });
      if (!isQueued) return "unknown";
      outbox.wake(letter.session);
      return "queued";
    },
    async dropLetter(id, login) {
      const letter = await findDeadLetter(store.main, id);
      if (letter === undefined) return "unknown";
      await store.main.transaction().execute(async (tx) => {
        await dropDeadLetter(tx, id);
        await audit(tx, "outbox.dropped", letter.session, id, login);
      });
      return "dropped";
    },
  };
}
