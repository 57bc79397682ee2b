import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { isSameToken } from "../../core/check-token.ts";
import type { Clock } from "../../core/clock.ts";
import { createReadableCode } from "../../core/ids.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { Store } from "../../store/open-store.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import {
  countWrongConsoleCode,
  deleteConsoleCodes,
  insertConsoleCode,
  takeConsoleCode,
} from "../../store/queries/console-codes.ts";

/** `waitMs` = until the next attempt is taken. */
type Entry =
  | { readonly kind: "open"; readonly by: Entrance; readonly who: Entrant }
  | { readonly kind: "wrong" | "expired" | "wait"; readonly waitMs: number };

/** A person whom the door lets in. The owner at the machine is `console:owner`. */
export interface Entrant {
  readonly account: string;
  readonly role: "owner" | "member";
}

export interface Door {
  /** The way in that the start screen names. */
  readonly first: Entrance;
  /** Makes a new code for the owner, valid at this process alone, and voids the one before. Its letters are not stored. */
  makeCode(): MadeCode;
  /**
   * Makes a code for a person who asked in a chat, where its letters stay visible, and voids their code before. It is valid at
   * each process of the database: the one that has the chat need not be the one whose page is opened.
   */
  makeCodeFor(person: Entrant): Promise<MadeCode>;
  enter(given: { readonly code: string } | { readonly password: string }, client: DoorClient): Promise<Entry>;
}

interface MadeCode {
  readonly code: string;
  readonly expiresAt: number;
}

type Entrance = "code" | "password";

type Judged = { readonly kind: "right"; readonly who: Entrant } | { readonly kind: "wrong" | "expired" };

interface HeldCode {
  readonly letters: string;
  readonly expiresAt: number;
}

interface DoorClient {
  /** The address that has one place in the line. */
  readonly address: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

interface Tally {
  /** The times of wrong attempts, and of those that are still being judged. */
  wrong: number[];
  /** When the audit last got a row about too many wrong attempts in a minute, or in an hour. */
  noted: { minute: number; hour: number };
}

export interface DoorLimits {
  readonly codeMs: number;
  /** Wrong attempts in a minute, and in an hour. */
  readonly inMinute: number;
  readonly inHour: number;
  /** The time that an attempt with the password takes once there were too many in an hour. */
  readonly slowMs: number;
  /** Attempts that wait in line then, one of each address. */
  readonly inLine: number;
}

export const doorLimits: DoorLimits = { codeMs: 600_000, inMinute: 5, inHour: 20, slowMs: 3_000, inLine: 10 };

const operator: Entrant = { account: consoleOwner, role: "owner" };
const codeLength = 8;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;

/**
 * The way into the console: a code that is valid once, or the password. Wrong codes and wrong passwords are counted apart, each over
 * all clients. Guesses void the codes, of which the machine's operator makes another; the password stays usable, slowly. One address has
 * one place in that line, so that strangers at other addresses cannot fill it by the number of their requests.
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
  // A failure reaches the callers that await the promise.
  hash?.catch(() => undefined);
  /** The operator's. Those that people got in chats are stored. */
  let own: HeldCode | undefined;
  const tallies: Record<Entrance, Tally> = { code: emptyTally(), password: emptyTally() };
  let line: Promise<unknown> = Promise.resolve();
  const inLine = new Set<string>();

  /** A minute or an hour had too many wrong attempts. The audit gets a row an hour of each kind while guesses go on. */
  async function noteBurst(by: Entrance, within: "minute" | "hour"): Promise<void> {
    const { noted } = tallies[by];
    const now = clock.now();
    if (now - noted[within] < hourMs) return;
    noted[within] = now;
    const detail = { by, within, attempts: countWrong(by, within === "minute" ? minuteMs : hourMs) };
    log.warn(detail, "sign-ins to the console were wrong");
    await appendAudit(store.main, { actor: "gateway", action: "console.refused", detail, now });
  }

  function countWrong(by: Entrance, withinMs: number): number {
    const now = clock.now();
    const tally = tallies[by];
    tally.wrong = tally.wrong.filter((at) => at > now - hourMs);
    return tally.wrong.filter((at) => at > now - withinMs).length;
  }

  function waitForMinute(by: Entrance): number {
    if (countWrong(by, minuteMs) < limits.inMinute) return 0;
    return Math.max(1, (tallies[by].wrong.at(-limits.inMinute) ?? 0) + minuteMs - clock.now());
  }

  /** An attempt counts as wrong until it turns out to be right: many at once gain nothing. */
  async function attempt(by: Entrance, judge: () => Promise<Judged>): Promise<Entry> {
    const at = clock.now();
    tallies[by].wrong.push(at);
    const judged = await judge();
    if (judged.kind === "right") {
      // A member who signs in by their own code gets no further guesses at those of others.
      const { wrong } = tallies[by];
      tallies[by].wrong = judged.who === operator ? [] : wrong.toSpliced(wrong.lastIndexOf(at), 1);
      return { kind: "open", by, who: judged.who };
    }
    if (countWrong(by, minuteMs) >= limits.inMinute) await noteBurst(by, "minute");
    if (countWrong(by, hourMs) >= limits.inHour) {
      if (by === "code") await voidCodes();
      await noteBurst(by, "hour");
    }
    return { kind: judged.kind, waitMs: by === "password" && isSlow() ? 0 : waitForMinute(by) };
  }

  const isSlow = () => countWrong("password", hourMs) >= limits.inHour;

  async function judgePassword(given: string): Promise<Judged> {
    if (hash === undefined) return { kind: "wrong" };
    const isSame = timingSafeEqual(await derive(given, salt, 32), await hash);
    return isSame ? { kind: "right", who: operator } : { kind: "wrong" };
  }

  async function judgeCode(given: string): Promise<Judged> {
    const now = clock.now();
    const letters = given.toUpperCase().replaceAll(/[\s-]/g, "");
    if (own && now >= own.expiresAt) own = undefined;
    if (own && isSameToken(letters, own.letters)) {
      own = undefined;
      return { kind: "right", who: operator };
    }
    const taken = await takeConsoleCode(store.main, digest(letters), limits.inHour);
    if (taken) {
      const { account, expiresAt, role } = taken;
      return now < expiresAt ? { kind: "right", who: { account, role } } : { kind: "expired" };
    }
    const hasOthers = await countWrongConsoleCode(store.main, { maxWrong: limits.inHour, now });
    return { kind: own || hasOthers ? "wrong" : "expired" };
  }

  async function voidCodes(): Promise<void> {
    own = undefined;
    await deleteConsoleCodes(store.main);
  }

  const draw = (): HeldCode => ({ letters: createReadableCode(codeLength), expiresAt: clock.now() + limits.codeMs });

  /** One after the other, each after a pause. */
  async function enterSlowly(given: string, { address, signal }: DoorClient): Promise<Entry> {
    const full: Entry = { kind: "wait", waitMs: limits.slowMs * Math.max(1, inLine.size) };
    if (inLine.has(address) || inLine.size >= limits.inLine) return full;
    inLine.add(address);
    const turn = line.then(async (): Promise<Entry> => {
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, limits.slowMs).unref());
      return signal.aborted ? full : attempt("password", () => judgePassword(given));
    });
    line = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      inLine.delete(address);
    }
  }

  return {
    first: password === undefined ? "code" : "password",

    makeCode() {
      tallies.code = emptyTally();
      own = draw();
      return show(own);
    },

    async makeCodeFor(person) {
      const made = draw();
      const row = { ...person, digest: digest(made.letters), expiresAt: made.expiresAt };
      await insertConsoleCode(store.main, row, clock.now());
      return show(made);
    },

    async enter(given, client) {
      const by = "password" in given ? "password" : "code";
      if ("password" in given && isSlow()) return enterSlowly(given.password, client);
      const waitMs = waitForMinute(by);
      if (waitMs > 0) return { kind: "wait", waitMs };
      return attempt(by, () => ("password" in given ? judgePassword(given.password) : judgeCode(given.code)));
    },
  };
}

const digest = (letters: string) => createHash("sha256").update(letters).digest("hex");

function show({ expiresAt, letters }: HeldCode): MadeCode {
  return { code: `${letters.slice(0, 4)}-${letters.slice(4)}`, expiresAt };
}

function emptyTally(): Tally {
  return { wrong: [], noted: { minute: -Infinity, hour: -Infinity } };
}
