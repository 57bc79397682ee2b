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

/** Counts how well the models keep the character, by model. */
export interface VoiceCounts {
  judged(model: string, kinds: readonly BreakKind[]): void;
  enforced(model: string, reply: EnforcedReply): void;
  list(): readonly VoiceCount[];
}

type Counting = { -readonly [Key in keyof VoiceCount]: VoiceCount[Key] } & { byKind: Map<BreakKind, number> };

export function createVoiceCounts(): VoiceCounts {
  const counts = new Map<string, Counting>();

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
    enforced(model, reply) {
      const count = find(model);
      if (reply.kind === "ask-again") count.rewritten += 1;
      else if (reply.fellBack === true) count.replaced += 1;
      else if (reply.removed.length > 0) count.stripped += 1;
    },
    list: () => [...counts.values()],
  };
}
