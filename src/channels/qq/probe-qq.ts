import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { ChannelProbe } from "../define-channel.ts";
import { readLabel } from "../json-view.ts";
import { createQqApi, type QqApi, type QqCredentials } from "./qq-api.ts";

const self = z.object({ id: z.unknown().optional(), username: z.unknown().optional() });

/** The bot as the API names it. */
export function nameBot(value: unknown): string {
  return readLabel(self.safeParse(value).data?.username) || "the bot";
}

/** The fault and its remedy; the token server's answer distinguishes a wrong AppID (100007) from a wrong secret. */
export function describeUnauthorized(reason: string): string {
  return reason.endsWith("(100007)")
    ? `QQ does not know this AppID: ${reason}. Copy it again from q.qq.com (development, settings) to QQ_APP_ID`
    : `QQ refused the secret: ${reason}. Copy AppID and AppSecret again from q.qq.com (development, settings) to QQ_APP_ID and QQ_APP_SECRET`;
}

/** Asks for a token, its bot, and the gateway's address. */
export async function probeQq(
  settings: QqCredentials & { readonly webhook?: { readonly url: string } },
  clock: Clock,
): Promise<ChannelProbe> {
  const api = createQqApi({ ...settings, clock });
  try {
    return await probe(api, settings.webhook?.url);
  } finally {
    api.stop();
  }
}

async function probe(api: QqApi, webhook: string | undefined): Promise<ChannelProbe> {
  const authorized = await api.authorize();
  if (authorized.kind === "unauthorized") {
    return { state: "broken", detail: describeUnauthorized(authorized.reason) };
  }
  if (authorized.kind !== "ok")
    return { state: "broken", detail: `${authorized.reason}. Check the network and QQ_TOKEN_URL` };
  const who = await api.call("GET", "/users/@me");
  if (who.kind !== "ok") {
    const remedy = "Check QQ_API_ROOT, and that this machine's address is on the bot's list at q.qq.com";
    return { state: "broken", detail: `the token is good, but the API does not answer: ${who.reason}. ${remedy}` };
  }
  const name = nameBot(who.value);
  if (webhook !== undefined) return { state: "ok", detail: `${name}; events come to ${webhook}` };
  const gateway = await api.call("GET", "/gateway");
  if (gateway.kind === "ok") return { state: "ok", detail: `${name}; events come by the gateway` };
  const remedy = "If the bot is set to a webhook at q.qq.com, set QQ_WEBHOOK_URL to it";
  return { state: "warning", detail: `${name}, but the gateway is not to be had: ${gateway.reason}. ${remedy}` };
}
