import { existsSync } from "node:fs";
import type { Configuration } from "../config.ts";
import { isNamedByClients } from "../channels/definitions/channel-definitions.ts";
import { describeError } from "../core/errors.ts";
import { listOwners } from "../store/queries/people.ts";
import { tables } from "../assembly/features.ts";
import { openStore } from "../store/open-store.ts";
import type { Finding } from "../kernel/feature/finding.ts";

/** Her owners; without any, the start screen has a code. */
export async function checkOwners({
  channels,
  home,
  owners,
  store: place,
}: Pick<Configuration, "channels" | "home" | "owners" | "store">): Promise<Finding> {
  const check = "owner";
  const named = owners.map(({ platform, user }) => `${platform}:${user}`).filter((id) => !id.startsWith("cli:"));
  try {
    const known = [...new Set([...named, ...(await listKnown(home, place))])];
    if (known.length > 0) return { check, state: "ok", detail: known.join(", ") };
  } catch (error) {
    return { check, state: "broken", detail: describeError(error) };
  }
  if (!Object.keys(channels).some((name) => !isNamedByClients(name)))
    return { check, state: "ok", detail: "who uses the terminal here (cli:owner)" };
  const detail =
    "nobody yet. Send the pairing code of the start screen to the bot in a private chat, or set KURISU_OWNERS: docs/channels.md";
  return { check, state: "warning", detail };
}

async function listKnown(home: string, place: Configuration["store"]): Promise<readonly string[]> {
  if (place.url === undefined && !existsSync(`${home}/kurisu.db`)) return [];
  const store = await openStore({ home, ...place }, tables);
  try {
    return await listOwners(store.main);
  } finally {
    await store.close();
  }
}
