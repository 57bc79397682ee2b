import type { Logger } from "pino";
import { z } from "zod";
import { sleep } from "../../core/abort.ts";
import { describeError } from "../../core/errors.ts";
import { openGatewayLink, type GatewayLink, type GatewaySession, type LinkEnd } from "./gateway-link.ts";
import type { QqPace } from "./pace.ts";
import type { QqApi } from "./qq-api.ts";
import type { Dispatch } from "./read-dispatch.ts";
import { pickStep } from "../pick-step.ts";

/** How the connection to the gateway is. */
export type GatewayState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open"; readonly withGuilds: boolean }
  | { readonly kind: "unauthorized" | "refused" | "unreachable"; readonly reason: string };

/** Group and private chats; buttons. Each bot may have these. */
const defaultIntents = (1 << 25) | (1 << 26);
/** Mentions in the channels of guilds, and private chats that began there. */
const guildIntents = (1 << 30) | (1 << 12);

/** Each write waits for the disk. */
const rememberMs = 2_000;

const gatewayShape = z.object({ url: z.string().max(1_000) });

export interface SessionMemory {
  find(): Promise<GatewaySession>;
  save(session: GatewaySession): Promise<void>;
}

/** Keeps a connection until the signal aborts. `take` resolves once an event is stored; only then does our place move. */
export async function keepConnected(parts: {
  readonly api: QqApi;
  readonly apiRoot: string;
  readonly take: (dispatch: Dispatch) => Promise<boolean>;
  /** The point at which the last process ended, and a place to write down our own. */
  readonly memory: SessionMemory;
  readonly onUser: (userId: string) => void;
  readonly report: (state: GatewayState) => void;
  readonly onLink: (link: GatewayLink) => void;
  /** Something came from the gateway. */
  readonly onLife: () => void;
  readonly pace: QqPace;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { api, report, pace, log, signal } = parts;
  const session: GatewaySession = await parts.memory.find();
  let withGuilds = true;
  let rememberedAt = -Infinity;

  /**
   * Without it a restart misses only the messages of that time. A place that is a little old does no harm: what comes
   * twice from there is known already.
   */
  async function remember(isUrgent: boolean): Promise<void> {
    const now = performance.now();
    if (!isUrgent && now - rememberedAt < rememberMs) return;
    rememberedAt = now;
    try {
      await parts.memory.save(session);
    } catch (error) {
      log.warn({ reason: describeError(error) }, "the place at QQ's gateway could not be written down");
    }
  }

  async function connect(): Promise<LinkEnd & { readonly lasted?: boolean }> {
    const [answer, authorized] = [await api.call("GET", "/gateway"), await api.authorize()];
    const failure = answer.kind === "ok" ? authorized : answer;
    if (failure.kind === "unauthorized") return { kind: "unauthorized", reason: failure.reason };
    if (failure.kind !== "ok") return { kind: "lost", reason: failure.reason };
    const url = answer.kind === "ok" ? readAddress(answer.value, parts.apiRoot) : undefined;
    const { header } = authorized;
    if (url === undefined || header === undefined)
      return { kind: "lost", reason: "the API names no address of a gateway" };

    let isOpen = false;
    let queue = Promise.resolve();
    /** An event could not be stored: no later one is, and the next connection gets them again. */
    let isBroken = false;
    const link = openGatewayLink({
      url,
      header,
      intents: withGuilds ? defaultIntents | guildIntents : defaultIntents,
      session,
      onReady(userId) {
        isOpen = true;
        if (userId !== undefined) parts.onUser(userId);
        queue = queue.then(() => remember(true));
        report({ kind: "open", withGuilds });
      },
      onDispatch(dispatch) {
        queue = queue.then(async () => {
          if (isBroken) return;
          if (!(await parts.take(dispatch))) return void (isBroken = true);
          session.seq = dispatch.s ?? session.seq;
          await remember(false);
        });
      },
      onLife: parts.onLife,
      handshakeMs: pace.handshakeMs,
      log,
    });
    parts.onLink(link);
    const end = await link.ended;
    await queue;
    if (end.kind === "unauthorized") api.forget(header);
    return { ...end, lasted: isOpen };
  }

  for (let failures = 0; !signal.aborted;) {
    const { lasted = false, ...end } = await connect();
    if (end.kind === "stopped" || signal.aborted) return;
    failures = lasted ? 0 : failures + 1;
    // A token that was refused says nothing of the session: with another one it may go on.
    if (end.kind !== "lost" && end.kind !== "unauthorized") {
      Object.assign(session, { id: undefined, seq: undefined });
      await remember(true);
    }
    const hadGuilds = withGuilds;
    if (end.kind === "intents") withGuilds = false;
    report(describeEnd(end, hadGuilds));
    const isHopeless = end.kind === "refused" || (end.kind === "intents" && !hadGuilds);
    const isRefused = isHopeless || (end.kind === "unauthorized" && failures > 1);
    const pauseMs = isRefused ? pace.refusedMs : pickStep(pace.reconnectMs, failures);
    log.warn({ end, pauseMs }, "the connection to QQ's gateway ended; it is opened again");
    await sleep(pauseMs * (0.75 + Math.random() / 2), signal);
  }
}

function describeEnd(end: Exclude<LinkEnd, { kind: "stopped" }>, hadGuilds: boolean): GatewayState {
  switch (end.kind) {
    case "unauthorized":
    case "refused":
      return end;
    case "intents":
      return hadGuilds ? { kind: "connecting" } : { kind: "refused", reason: end.reason };
    case "lost":
    case "invalid":
      return { kind: "unreachable", reason: end.reason };
  }
}

/** A secret question must not be answered in the open. */
function readAddress(value: unknown, apiRoot: string): string | undefined {
  const read = gatewayShape.safeParse(value);
  const url = read.success ? URL.parse(read.data.url) : null;
  if (url?.protocol === "wss:") return url.href;
  return url?.protocol === "ws:" && apiRoot.startsWith("http://") ? url.href : undefined;
}
