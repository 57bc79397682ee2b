import type { TurnInput } from "../../kernel/agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { ScheduleLimits } from "../../core/schedule/schedule-options.ts";
import type { FindRole } from "../../kernel/gate/resolve-current-role.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { TurnLease } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { FindVoice } from "../../kernel/tools/persona-wrapper.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";

export interface ReminderParts {
  readonly store: Store;
  readonly findRole: FindRole;
  /** Whether she takes part in the group of a session. */
  readonly isGroupOpen: (session: SessionRow) => Promise<boolean>;
  readonly limits: () => ScheduleLimits;
  readonly tellOwners: TellOwners;
  readonly voice: FindVoice;
  readonly wakeOutbox: (session: string) => void;
  /** Takes known secrets out. */
  readonly scrub: (text: string) => string;
  readonly policy: () => string;
  readonly zone: () => string;
  readonly clock: Clock;
}

/** Does what a due reminder asks for. undefined = a fixed line said it, or nobody is to hear of it. */
export type BeginReminder = (
  item: InboxItem,
  session: SessionRow,
  owner: string,
  leaseMs: number,
) => Promise<{ readonly input: TurnInput; readonly lease: TurnLease } | undefined>;
