import type { Clock } from "../../core/clock.ts";
import type { ScheduleLimits } from "./schedule-options.ts";
import type { FindRole } from "../../kernel/gate/resolve-current-role.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { FindVoice } from "../../kernel/tools/persona-wrapper.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";

/** The parts that deliver a reminder, or begin its task, when it is due. */
export interface DeliveryParts {
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
