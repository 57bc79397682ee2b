import { existsSync } from "node:fs";
import type { Configuration } from "../config.ts";
import { isNamedByClients } from "../channels/definitions/channel-definitions.ts";
import { describeError } from "../core/errors.ts";
import { listOwners } from "../store/queries/people.ts";
import { openStore } from "../store/open-store.ts";
import { askEndpoint } from "../web/ask-endpoint.ts";
import type { Finding } from "./types.ts";

const waitMs = 5_000;

/** Her owners; nobody yet = the start screen has a code. */
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
  const store = await openStore({ home, ...place });
  try {
    return await listOwners(store.main);
  } finally {
    await store.close();
  }
}

/** Whether the servers for voice answer. It sends no sound and asks for none, so it costs nothing. */
export async function checkVoice({
  speech,
  transcription,
}: Pick<Configuration, "speech" | "transcription">): Promise<Finding[]> {
  return Promise.all([
    checkSound("voice in", "TRANSCRIBE_BASE_URL", transcription),
    checkSound("voice out", "SPEECH_BASE_URL", speech),
  ]);
}

async function checkSound(
  check: string,
  variable: string,
  endpoint: { readonly baseUrl: string; readonly apiKey?: string } | undefined,
): Promise<Finding> {
  if (endpoint === undefined)
    return { check, state: "ok", detail: `off. Set ${variable} to use it: docs/channels.md#voice` };
  const asked = await askEndpoint({
    url: new URL(`${endpoint.baseUrl}/models`),
    method: "GET",
    headers: endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` },
    timeoutMs: waitMs,
    signal: AbortSignal.timeout(waitMs),
  });
  if (asked.kind === "failed")
    return { check, state: "broken", detail: `${variable}: ${new URL(endpoint.baseUrl).host} ${asked.reason}` };
  if (asked.status === 401 || asked.status === 403)
    return { check, state: "broken", detail: `${variable}: the key was refused (HTTP ${asked.status})` };
  // Not every server lists its models; one that answers is there.
  return { check, state: "ok", detail: `${new URL(endpoint.baseUrl).host} answers` };
}
