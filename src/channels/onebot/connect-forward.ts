import type { Logger } from "pino";
import { WebSocket } from "ws";
import { sleep } from "../../core/abort.ts";
import { tunnelWebSocket } from "../../web/proxy-tunnel.ts";
import type { Accounts } from "./account.ts";
import type { AttendSocket } from "./attend-account.ts";
import { type LinkEnd, type OneBotLink, socketLimits } from "./onebot-link.ts";
import type { ReconnectPace } from "./onebot-pace.ts";

/** How our own connection is. */
export type ForwardState =
  | { readonly kind: "connecting" }
  /** Up, and it is known for whom. */
  | { readonly kind: "open" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string };

const handshakeMs = 10_000;

/** Keeps a connection to the implementation's WebSocket server until the signal aborts and the link is ended. */
export async function connectForward(parts: {
  readonly url: string;
  readonly accessToken: string | undefined;
  readonly attend: AttendSocket;
  readonly accounts: Accounts;
  readonly report: (state: ForwardState) => void;
  readonly onLink: (link: OneBotLink) => void;
  readonly pace: ReconnectPace;
  readonly maxPayloadBytes: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { url, accessToken, attend, accounts, report, pace, log, signal } = parts;
  const headers = accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` };

  function connect(): OneBotLink {
    const socket = new WebSocket(url, {
      ...socketLimits(parts.maxPayloadBytes),
      ...tunnelWebSocket(url),
      headers,
      handshakeTimeout: handshakeMs,
    });
    const link = attend(socket, { onKnown: () => report({ kind: "open" }) });
    parts.onLink(link);
    socket.on("unexpected-response", (request, response) => {
      request.destroy();
      const status = response.statusCode ?? 0;
      const isToken = status === 401 || status === 403;
      link.end(isToken ? { kind: "refused", reason: `HTTP ${status}` } : { kind: "lost", reason: `HTTP ${status}` });
    });
    return link;
  }

  for (let failures = 0; !signal.aborted;) {
    const link = connect();
    const begun = performance.now();
    const end = await link.ended;
    if (end.kind === "stopped") return;
    report(describeEnd(end));
    // Only a connection that lasted shows that things are well again.
    failures = performance.now() - begun > pace.maxMs ? 0 : failures + 1;
    const pauseMs = end.kind === "refused" ? spread(pace.refusedMs) : backOff(failures, pace);
    log.warn({ end, pauseMs: Math.round(pauseMs) }, "the connection to the OneBot server ended; it is opened again");
    if (end.kind === "replaced") await waitUntilFree(end.account);
    else await sleep(pauseMs, signal);
  }

  /** While another connection speaks for the account, ours would only throw it out, and be thrown out again. */
  async function waitUntilFree(account: string): Promise<void> {
    do await sleep(pace.maxMs, signal);
    while (accounts.find(account)?.link !== undefined && !signal.aborted);
  }
}

function describeEnd(end: Exclude<LinkEnd, { kind: "stopped" }>): ForwardState {
  switch (end.kind) {
    case "refused":
      return { kind: "refused", reason: end.reason };
    case "lost":
      return { kind: "unreachable", reason: end.reason };
    case "replaced":
      return { kind: "unreachable", reason: "another connection speaks for this account" };
  }
}

function backOff(failures: number, { firstMs, maxMs }: ReconnectPace): number {
  const pause = firstMs * 2 ** Math.min(Math.max(0, failures - 1), 20);
  return Math.max(firstMs, Math.min(spread(pause), maxMs));
}

/** So that many clients of one server do not come back all at once. */
function spread(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
