import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** What a session may do besides looking; null = everything the levels allow. */
export async function addMode(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema.alterTable("sessions").addColumn("mode", engine.text).execute();
}
