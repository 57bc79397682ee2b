import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { isSameToken } from "../../core/check-token.ts";
import { createRareWarning } from "../rare-warning.ts";
import { answerError, type ApiError } from "./api-error.ts";

const minuteMs = 60_000;
/** Wrong tokens in a minute, from all clients together: guessing gets nowhere. */
const maxWrong = 60;

/** Counts by the clock's minutes. True when it is one too many. */
export function createMinuteCount(clock: Clock): (who: string, max: number) => boolean {
  let minute = -1;
  const counts = new Map<string, number>();
  return (who, max) => {
    const now = Math.floor(clock.now() / minuteMs);
    if (now !== minute) counts.clear();
    minute = now;
    const count = (counts.get(who) ?? 0) + 1;
    counts.set(who, count);
    return count > max;
  };
}

/** Lets in who has the token. */
export function createGuard(parts: {
  readonly token: string;
  readonly clock: Clock;
  readonly log: Logger;
}): MiddlewareHandler {
  const countWrong = createMinuteCount(parts.clock);
  const warn = createRareWarning(parts.log, "a request was refused: it does not have KURISU_API_TOKEN");
  return async (context, next) => {
    const given = /^Bearer +(\S+) *$/i.exec(context.req.header("authorization") ?? "")?.[1] ?? "";
    if (isSameToken(given, parts.token)) return next();
    if (countWrong("", maxWrong)) return answerError(context, tooMany);
    warn();
    return answerError(context, wrongToken);
  };
}

const wrongToken: ApiError = {
  status: 401,
  code: "invalid_api_key",
  message: "The API key is not KURISU_API_TOKEN. Send it as Authorization: Bearer.",
};

export const tooManyFiles: ApiError = {
  status: 429,
  code: "rate_limit_exceeded",
  message: "Too many files in this hour. Send the words alone, or wait.",
};

export const tooMany: ApiError = {
  status: 429,
  code: "rate_limit_exceeded",
  message: "Too many requests. Wait a moment.",
};
