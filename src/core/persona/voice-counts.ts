import type { Clock } from "../clock.ts";
import type { EnforcedReply } from "./enforce-reply.ts";
import type { BreakKind } from "./validate-reply.ts";

/** Counts the drafts of one model since the start, and how each ended. */
export interface VoiceCount {
  /** `provider:name`. */
  readonly model: string;
  readonly drafts: number;
  /** Drafts with something in them that breaks the role, in all and by kind; a draft can have several kinds. */
  readonly broken: number;
  readonly byKind: ReadonlyMap<BreakKind, number>;
  /** Drafts that lost sentences, that the model rewrote, and that the persona's own words replaced. */
  readonly stripped: number;
  readonly rewritten: number;
  readonly replaced: number;
}

/** How a draft was mended last in a conversation. */
interface Mending {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly model: string;
  readonly how: "stripped" | "rewritten" | "replaced";
  readonly kinds: readonly BreakKind[];
}

/** Counts how well the models keep the character, by model. */
export interface VoiceCounts {
  judged(model: string, kinds: readonly BreakKind[]): void;
  enforced(session: string, model: string, reply: EnforcedReply): void;
  /** Undefined when nothing was mended there since the start. */
  lastIn(session: string): Mending | undefined;
  list(): readonly VoiceCount[];
}

type Counting = { -readonly [Key in keyof VoiceCount]: VoiceCount[Key] } & { byKind: Map<BreakKind, number> };

/** Conversations whose last mending is known. */
const maxSessions = 1_000;

export function createVoiceCounts(clock: Clock): VoiceCounts {
  const counts = new Map<string, Counting>();
  const last = new Map<string, Mending>();

  function find(model: string): Counting {
    const found = counts.get(model);
    if (found !== undefined) return found;
    const fresh = { model, drafts: 0, broken: 0, byKind: new Map(), stripped: 0, rewritten: 0, replaced: 0 };
    counts.set(model, fresh);
    return fresh;
  }

  return {
    judged(model, kinds) {
      const count = find(model);
      count.drafts += 1;
      if (kinds.length > 0) count.broken += 1;
      for (const kind of kinds) count.byKind.set(kind, (count.byKind.get(kind) ?? 0) + 1);
    },
    enforced(session, model, reply) {
      const how = nameMending(reply);
      if (how === undefined) return;
      find(model)[how] += 1;
      last.delete(session);
      last.set(session, {
        at: clock.now(),
        model,
        how,
        kinds: reply.kind === "ask-again" ? reply.kinds : reply.removed,
      });
      const [oldest] = last.keys();
      if (last.size > maxSessions && oldest !== undefined) last.delete(oldest);
    },
    lastIn: (session) => last.get(session),
    list: () => [...counts.values()],
  };
}

function nameMending(reply: EnforcedReply): Mending["how"] | undefined {
  if (reply.kind === "ask-again") return "rewritten";
  if (reply.fellBack === true) return "replaced";
  return reply.removed.length > 0 ? "stripped" : undefined;
}
