import type { Logger } from "pino";
import { WebSocket } from "ws";
import { z } from "zod";
import { tunnelWebSocket } from "../../web/proxy-tunnel.ts";
import type { ChannelProbe } from "../define-channel.ts";
import { unknownDialect } from "./dialect.ts";
import { createOneBotLink, type LinkPace, defaultMaxPayloadBytes, socketLimits } from "./onebot-link.ts";

const handshakeMs = 10_000;
const pace: LinkPace = { callMs: 10_000, silenceMs: 30_000, pongMs: 10_000 };

const login = z.object({ user_id: z.union([z.number(), z.string()]), nickname: z.string().default("") });
const status = z.object({ online: z.boolean() });

/** Connects as the channel does and asks whose account it is. Without an address nothing can be asked: they call us. */
export async function probeOneBot(options: {
  readonly url?: string;
  readonly accessToken?: string;
  readonly log: Logger;
}): Promise<ChannelProbe> {
  const { url, accessToken, log } = options;
  if (url === undefined) {
    const detail = "only the reverse side is set: once Kurisu runs, the implementation connects to /onebot/v11/ws";
    return { state: "warning", detail };
  }
  const headers = accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` };
  const limits = { ...socketLimits(defaultMaxPayloadBytes), handshakeTimeout: handshakeMs };
  const socket = new WebSocket(url, { ...limits, ...tunnelWebSocket(url), headers });
  const opened = new Promise<void>((resolve) => socket.once("open", resolve));
  const link = createOneBotLink({ socket, onEvent: () => undefined, dialect: () => unknownDialect, pace, log });
  socket.on("unexpected-response", (request, response) => {
    request.destroy();
    const refused = response.statusCode === 401 || response.statusCode === 403;
    link.end({ kind: refused ? "refused" : "lost", reason: `HTTP ${response.statusCode}` });
  });
  try {
    const ask = async () => {
      await opened;
      return Promise.all([link.call("get_login_info", {}), link.call("get_status", {})]);
    };
    const answers = await Promise.race([ask(), link.ended]);
    if ("kind" in answers) return describeEnd(answers);
    const [who, how] = answers.map((answer) => (answer.kind === "ok" ? answer.data : undefined));
    return describeAccount(login.safeParse(who).data, status.safeParse(how).data);
  } finally {
    link.end({ kind: "stopped" });
    await link.closed;
  }
}

function describeEnd(end: { readonly kind: string; readonly reason?: string }): ChannelProbe {
  const { kind, reason = kind } = end;
  const detail =
    kind === "refused"
      ? `the server refused the token (${reason}). Set ONEBOT_ACCESS_TOKEN to the token of its WebSocket server`
      : `the server cannot be reached: ${reason}. Start NapCat (or LLBot), switch its WebSocket server on, check ONEBOT_WS_URL`;
  return { state: "broken", detail };
}

function describeAccount(
  who: z.output<typeof login> | undefined,
  how: z.output<typeof status> | undefined,
): ChannelProbe {
  if (who === undefined) return { state: "broken", detail: "the server does not say which QQ account it is" };
  const name = `${who.nickname} (${who.user_id})`.trim();
  if (how?.online === false) return { state: "broken", detail: `${name} is logged out there: log in again in NapCat` };
  return { state: "ok", detail: name };
}
