import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { WebSocketServer } from "ws";
import type { UpgradeHandler } from "../http-routes.ts";
import { readLabel } from "../json-view.ts";
import { createMinuteLimit } from "../rare-warning.ts";
import type { AttendSocket } from "./attend-account.ts";
import { isSameToken, readToken } from "../../core/check-token.ts";
import { type OneBotLink, socketLimits } from "./onebot-link.ts";
import { readPositiveId } from "./wire-id.ts";

/** Refused connections logged per minute. Callers need no credential to be refused, so they must not fill the log. */
const maxLoggedRefusals = 3;

/** Takes connections that implementations open to us. */
export function createAcceptReverse(parts: {
  readonly accessToken: string;
  /** Undefined when the channel does not run. */
  readonly attend: () => AttendSocket | undefined;
  /** Why a connection was turned away, with the remedy. */
  readonly onRefusal: (reason: string) => void;
  readonly onLink: (link: OneBotLink) => void;
  readonly maxPayloadBytes: number;
  readonly log: Logger;
}): UpgradeHandler {
  const { accessToken, log } = parts;
  const server = new WebSocketServer({ ...socketLimits(parts.maxPayloadBytes), noServer: true, clientTracking: false });

  const countRefusal = createMinuteLimit(maxLoggedRefusals);

  function refuse(socket: Duplex, status: string, reason: string): void {
    const unsaid = countRefusal();
    if (unsaid !== undefined) log.warn({ status, unsaid }, `a reverse connection was refused: ${reason}`);
    parts.onRefusal(reason);
    socket.once("finish", () => socket.destroy());
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  }

  return (request, socket, head) => {
    const attend = parts.attend();
    if (attend === undefined) return refuse(socket, "503 Service Unavailable", "the channel does not run yet");
    const token = readToken(request);
    if (token === "")
      return refuse(
        socket,
        "401 Unauthorized",
        "it sent no token. Set the token of the WebSocket client to ONEBOT_ACCESS_TOKEN",
      );
    if (!isSameToken(token, accessToken))
      return refuse(socket, "403 Forbidden", "its token is not ONEBOT_ACCESS_TOKEN");
    const role = readLabel(request.headers["x-client-role"], 20);
    if (role !== "" && role.toLowerCase() !== "universal") {
      return refuse(
        socket,
        "400 Bad Request",
        `its role is ${role}; one universal connection is needed (reverse WebSocket, Universal)`,
      );
    }
    const selfId = readPositiveId(request.headers["x-self-id"]);
    return server.handleUpgrade(request, socket, head, (client) => parts.onLink(attend(client, { selfId })));
  };
}
