import type { KnownTool } from "../../kernel/gate/types.ts";

/** The id of the image that a session's container is or would be made of; undefined = there is no engine. */
export type RunsIn = (session: string) => Promise<string | undefined>;

/** The programs of the image write the file, so an approval counts for that image alone. */
export function bindToImage(runsIn: RunsIn): NonNullable<KnownTool["binding"]> {
  return async (_input, { session }) => ({ image: (await runsIn(session)) ?? null });
}
