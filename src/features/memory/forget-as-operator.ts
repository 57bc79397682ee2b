import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { forgetMemory, type ForgetReceipt } from "./people/forget-memory.ts";
import { findMemoryScope, type MemoryScope } from "./scope.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";

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
      const receipt = await forgetAudited(tx, scope, memory, { by, now });
      if (receipt === undefined)
        throw new AppError("USAGE", `${account} has no memory ${memory}. ${kurisuCommand} memory list shows them.`);
      return receipt.memories;
    });
}

/** Forgets one memory for the operator. The audit never has its words: they are what was to go. */
export async function forgetAudited(
  tx: Kysely<Database>,
  scope: MemoryScope,
  memory: number,
  { by, login, now }: { readonly by: string; readonly login?: string; readonly now: number },
): Promise<ForgetReceipt | undefined> {
  const receipt = await forgetMemory(tx, scope, memory, now);
  if (receipt === undefined) return undefined;
  const detail = { person: scope.account, memory, memories: receipt.memories, ...(login !== undefined && { login }) };
  await appendAudit(tx, { actor: by, action: "memory.forgotten", detail, now });
  return receipt;
}
