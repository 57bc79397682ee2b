import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** The hosts that an asked call may reach: the question names them. */
export async function addCallNetwork(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema.alterTable("question_calls").addColumn("network", engine.text).execute();
}
