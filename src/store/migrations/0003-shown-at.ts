import type { Kysely } from "kysely";

/** When a prompt went out by the platform's clock: words written before it are no answer to it. */
export async function addShownAt(schema: Kysely<unknown>["schema"]): Promise<void> {
  await schema.alterTable("questions").addColumn("shown_at", "bigint").execute();
}
