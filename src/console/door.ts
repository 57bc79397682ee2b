import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { isSameToken } from "../core/check-token.ts";
import type { Clock } from "../core/clock.ts";
import { createReadableCode } from "../core/ids.ts";
import type { Store } from "../store/open-store.ts";
import { appendAudit } from "../store/queries/audit.ts";

/** `waitMs` = until the next attempt is taken. */
type Entry =
  | { readonly kind: "open"; readonly by: "code" | "password" }
  | { readonly kind: "wrong" | "expired" | "wait"; readonly waitMs: number };

export interface Door {
  /** A new one; the code before it opens nothing any more. Nothing keeps its letters. */
  makeCode(): { readonly code: string; readonly expiresAt: number };
  enter(given: { readonly code: string } | { readonly password: string }): Promise<Entry>;
}

export interface DoorLimits {
  readonly codeMs: number;
  /** Wrong attempts in a minute, and in an hour. */
  readonly inMinute: number;
  readonly inHour: number;
  /** The time that an attempt with the password takes once there were too many in an hour. */
  readonly slowMs: number;
  /** Attempts that wait in line then. */
  readonly inLine: number;
}

export const doorLimits: DoorLimits = { codeMs: 600_000, inMinute: 5, inHour: 20, slowMs: 3_000, inLine: 10 };

const codeLength = 8;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;

/**
 * The way into the console: a code that is valid once, or the password. Attempts of all clients are counted together. Guessing voids
 * the code, which the machine's operator replaces; the password stays usable, slowly, so that strangers cannot lock its owner out.
 */
export function createDoor(parts: {
  readonly password: string | undefined;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits?: DoorLimits;
}): Door {
  const { clock, limits = doorLimits, log, password, store } = parts;
  const salt = randomBytes(16);
  const hash = password === undefined ? undefined : derive(password, salt, 32);
  // Whoever awaits it hears of a failure.
  hash?.catch(() => undefined);
  let code: { readonly letters: string; readonly expiresAt: number } | undefined;
  /** When attempts were wrong, or are not judged yet. */
  let wrong: number[] = [];
  let line: Promise<unknown> = Promise.resolve();
  let inLine = 0;

  /** A minute or an hour had too many wrong attempts. */
  async function noteBurst(detail: { readonly within: "minute" | "hour"; readonly attempts: number }): Promise<void> {
    log.warn(detail, "sign-ins to the console were wrong");
    await appendAudit(store.main, { actor: "gateway", action: "console.refused", detail, now: clock.now() });
  }

  function countWrong(withinMs: number): number {
    const now = clock.now();
    wrong = wrong.filter((at) => at > now - hourMs);
    return wrong.filter((at) => at > now - withinMs).length;
  }

  function waitForMinute(): number {
    if (countWrong(minuteMs) < limits.inMinute) return 0;
    return Math.max(1, (wrong.at(-limits.inMinute) ?? 0) + minuteMs - clock.now());
  }

  /** An attempt counts as wrong until it turns out to be right: many at once gain nothing. */
  async function attempt(by: "code" | "password", judge: () => Promise<"right" | "wrong" | "expired">): Promise<Entry> {
    const at = clock.now();
    wrong.push(at);
    const judged = await judge();
    if (judged === "right") {
      wrong = [];
      return { kind: "open", by };
    }
    if (countWrong(minuteMs) === limits.inMinute) await noteBurst({ within: "minute", attempts: limits.inMinute });
    if (countWrong(hourMs) >= limits.inHour) {
      if (code !== undefined || countWrong(hourMs) === limits.inHour)
        await noteBurst({ within: "hour", attempts: countWrong(hourMs) });
      code = undefined;
    }
    return { kind: judged, waitMs: by === "password" && isSlow() ? 0 : waitForMinute() };
  }

  const isSlow = () => countWrong(hourMs) >= limits.inHour;

  async function isPassword(given: string): Promise<"right" | "wrong"> {
    if (hash === undefined) return "wrong";
    return timingSafeEqual(await derive(given, salt, 32), await hash) ? "right" : "wrong";
  }

  async function judgeCode(given: string): Promise<"right" | "wrong" | "expired"> {
    const held = code;
    if (held === undefined) return "expired";
    const isSame = isSameToken(given.toUpperCase().replaceAll(/[\s-]/g, ""), held.letters);
    if (clock.now() >= held.expiresAt) return "expired";
    if (isSame) code = undefined;
    return isSame ? "right" : "wrong";
  }

  /** One after the other, each after a pause. */
  async function enterSlowly(given: string): Promise<Entry> {
    if (inLine >= limits.inLine) return { kind: "wait", waitMs: limits.slowMs * limits.inLine };
    inLine += 1;
    const turn = line.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, limits.slowMs).unref());
      return attempt("password", () => isPassword(given));
    });
    line = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      inLine -= 1;
    }
  }

  return {
    makeCode() {
      const letters = createReadableCode(codeLength);
      code = { letters, expiresAt: clock.now() + limits.codeMs };
      wrong = [];
      return { code: `${letters.slice(0, 4)}-${letters.slice(4)}`, expiresAt: code.expiresAt };
    },

    async enter(given) {
      if ("password" in given && isSlow()) return enterSlowly(given.password);
      const waitMs = waitForMinute();
      if (waitMs > 0) return { kind: "wait", waitMs };
      return "password" in given
        ? attempt("password", () => isPassword(given.password))
        : attempt("code", () => judgeCode(given.code));
    },
  };
}
