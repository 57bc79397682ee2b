import type { TurnInput } from "../../agents/types.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { TurnLease, TurnRow } from "../../store/queries/turns.ts";

/** Everything about the turn at hand that its end needs. */
export interface TurnAtWork {
  readonly item: InboxItem;
  readonly input: TurnInput;
  readonly lease: TurnLease;
  readonly session: SessionRow;
  /** The inbox row whose sender waits for what comes of it. */
  readonly cause: string;
  /** The question whose answer brought the turn back. */
  readonly answered: Question | undefined;
  /** The outbox row its reply goes into; the same after a crash. Of a task: the start of its view's. */
  readonly outboxId: string;
  /** The turn is a sub-agent's. */
  readonly task: TurnRow | undefined;
  /** The turn that people see at work: of a task that is waited for, its parent. */
  readonly shownTurn: string;
}

/** The start of the name of the row that a turn's tasks show themselves in, by the round that started them. */
export function nameTaskView({ parent, parentCall }: TurnRow): string {
  return `${parent}.r${parentCall?.split(".")[0]}`;
}
