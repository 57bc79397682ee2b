import type { AdmittedMessage } from "../feature/hook-arguments.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import { tellAs } from "../outbox/tell-as.ts";
import type { Clock } from "../../core/clock.ts";

/**
 * Counts a message that is about to begin a turn. Returns true when it exceeds a limit: it then got a reply, or was
 * finished silently, and must start nothing.
 */
export type RefuseFast = (given: AdmittedMessage) => Promise<boolean>;

export function createRefuseFast({
  rate,
  systemReplies,
}: {
  readonly rate: ReturnType<typeof createMessageRate>;
  readonly systemReplies: SystemReplies;
}): RefuseFast {
  return async ({ item, language, message, person, words }) => {
    // The local terminal is exempt.
    if (message.address.platform === "cli") return false;
    const over = rate({ person: person.human ?? person.id, owner: person.role === "owner", sentAt: message.sentAt });
    if (over.kind === "fine") return false;
    const texts = words.control.limits;
    if (!over.first) await systemReplies.finish(item);
    else {
      const reply =
        over.scope === "person"
          ? tellAs("tooFast", language, texts.tooFast(over.limit))
          : tellAs("tooBusy", language, texts.tooBusy(over.limit));
      await systemReplies.answer(item, message, reply);
    }
    return true;
  };
}

/** Limits in messages per minute. */
export interface MessageLimits {
  readonly person: number;
  readonly owner: number;
  readonly all: number;
}

type RateVerdict =
  | { readonly kind: "fine" }
  /** `first` is set for the first refusal since the last accepted message; the others get no reply. */
  | { readonly kind: "over"; readonly scope: "person" | "all"; readonly limit: number; readonly first: boolean };

const minuteMs = 60_000;

/**
 * Counts incoming messages by when they were written: a backlog that the platform delivers after a downtime is no
 * flood.
 */
export function createMessageRate(parts: {
  readonly limits: () => MessageLimits;
  readonly clock: Clock;
}): (message: { readonly person: string; readonly owner: boolean; readonly sentAt: number }) => RateVerdict {
  const times = new Map<string, number[]>();
  const everyone = "";
  /** Persons who got a reply to a refused message, until one of theirs is accepted. */
  const notified = new Map<string, { refusedAt: number }>();
  let sweptAt = parts.clock.now();

  /** Forgets people without a message in the last minute: platforms let strangers choose as many names as they like. */
  function sweep(): void {
    const now = parts.clock.now();
    if (now - sweptAt < minuteMs) return;
    sweptAt = now;
    for (const who of times.keys()) countRecent(who, now);
    for (const [who, { refusedAt }] of notified) if (now - refusedAt >= minuteMs) notified.delete(who);
  }

  function countRecent(who: string, at: number): number {
    const isNear = (one: number, to: number): boolean => Math.abs(to - one) < minuteMs;
    // A message that arrives late must not drop the counts of the current minute.
    const kept = (times.get(who) ?? []).filter((one) => isNear(one, at) || isNear(one, parts.clock.now()));
    if (kept.length === 0) times.delete(who);
    else times.set(who, kept);
    return kept.filter((one) => isNear(one, at)).length;
  }

  return ({ person, owner, sentAt }) => {
    sweep();
    // Some platforms send no time, and a time in the future is not trusted.
    const at = sentAt > 0 ? Math.min(sentAt, parts.clock.now()) : parts.clock.now();
    const limits = parts.limits();
    const own = owner ? limits.owner : limits.person;
    const scope =
      countRecent(person, at) >= own ? "person" : countRecent(everyone, at) >= limits.all ? "all" : undefined;
    // An owner must get through while others exceed the common limit.
    if (scope === undefined || (scope === "all" && owner)) {
      notified.delete(person);
      for (const who of [person, everyone]) times.set(who, [...(times.get(who) ?? []), at]);
      return { kind: "fine" };
    }
    const first = !notified.has(person);
    notified.set(person, { refusedAt: parts.clock.now() });
    return { kind: "over", scope, limit: scope === "person" ? own : limits.all, first };
  };
}
