import type { Kysely } from "kysely";
import type { ModelCall } from "../../core/usage.ts";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";

const insert = compileOnce(
  (
    db,
    call: Omit<ModelCall, "startedAt" | "isEstimated" | "end"> & {
      readonly startedAt: number;
      readonly estimated: number;
      readonly ended: string;
    },
  ) =>
    db.insertInto("model_calls").values({
      turn: call.turn,
      round: call.round,
      model: call.model,
      started_at: call.startedAt,
      ms: call.ms,
      input: call.input,
      output: call.output,
      cached: call.cached,
      cost: call.cost,
      estimated: call.estimated,
      ended: call.ended,
    }),
);

export async function insertModelCall(db: Kysely<Database>, { end, isEstimated, ...call }: ModelCall): Promise<void> {
  await insert(db, { ...call, estimated: isEstimated ? 1 : 0, ended: end });
}

/** The requests of these turns, in the order in which they ended. */
export async function listModelCalls(db: Kysely<Database>, turns: readonly string[]): Promise<readonly ModelCall[]> {
  if (turns.length === 0) return [];
  const rows = await db.selectFrom("model_calls").selectAll().where("turn", "in", turns).orderBy("seq").execute();
  return rows.map(({ ended, estimated, seq: _seq, started_at: startedAt, ...row }) => ({
    ...row,
    startedAt,
    isEstimated: estimated === 1,
    end: ended as ModelCall["end"],
  }));
}
