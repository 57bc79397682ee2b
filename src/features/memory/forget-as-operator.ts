import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { forgetMemory } from "./people/forget-memory.ts";
import { findMemoryScope } from "./scope.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Store } from "../../store/open-store.ts";

/** The request of `kurisu memory forget`; the answer is how many versions went. */
export interface ForgetMemoryRequest {
  readonly kind: "forget-memory";
  readonly person: string;
  readonly memory: number;
}

/**
 * Lets the operator erase one memory of a person, with its older versions; returns the number erased. Throws AppError
 * USAGE.
 */
export type ForgetAsOperator = (asked: {
  /** `telegram:1` */
  readonly account: string;
  readonly memory: number;
  readonly by: string;
}) => Promise<number>;

export function createForgetAsOperator(parts: {
  readonly store: Pick<Store, "main">;
  readonly personaOf: (session: string) => string;
  readonly clock: Clock;
}): ForgetAsOperator {
  const { clock, store } = parts;
  return ({ account, by, memory }) =>
    store.main.transaction().execute(async (tx) => {
      const person = { id: account, name: account };
      const scope = await findMemoryScope(tx, {
        person,
        session: "",
        chatKind: "private",
        persona: parts.personaOf(""),
      });
      const now = clock.now();
      const receipt = await forgetMemory(tx, scope, memory, now);
      if (receipt === undefined)
        throw new AppError("USAGE", `${account} has no memory ${memory}. ${kurisuCommand} memory list shows them.`);
      // Never its words: they are what was to go.
      const detail = { person: account, memory, memories: receipt.memories };
      await appendAudit(tx, { actor: by, action: "memory.forgotten", detail, now });
      return receipt.memories;
    });
}
