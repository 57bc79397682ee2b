import type { Logger } from "pino";
import { AppError } from "../../core/errors.ts";
import type { FindContext, TurnContext } from "../agent/types.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import { noPreviews, type Previews } from "../questions/previews.ts";
import type { FeatureHooks, FeatureJob } from "./define-feature.ts";
import type { TurnNote } from "./hook-arguments.ts";
import type { MadeFeature } from "./make-features.ts";
import type { Speech } from "./speech.ts";

type Hook<Name extends keyof FeatureHooks> = NonNullable<FeatureHooks[Name]>;

/** The hooks of all features as one, called feature by feature in the order of the list. */
export interface CallHooks {
  opened(): void;
  start(): void;
  stop(): Promise<void>;
  readonly cleanUp: () => Promise<void>;
  resumed(): void;
  configurationChanged(): void;
  daily(): void;
  /** Returns true when something was ended. */
  readonly endWork: Hook<"endWork">;
  readonly previews: Previews;
  findJob(kind: string): FeatureJob | undefined;
  readonly events: Hook<"events">;
  readonly questions: Hook<"questions">;
  readonly status: Hook<"status">;
  readonly admits: Hook<"admits">;
  /** Returns true when one of them took it. */
  readonly take: Hook<"take">;
  readonly pressed: Hook<"pressed">;
  readonly isForHer: Hook<"isForHer">;
  readonly leavesUnanswered: Hook<"leavesUnanswered">;
  readonly notes: Hook<"notes">;
  readonly context: FindContext;
  readonly orderedCalls: Hook<"orderedCalls">;
  readonly decided: Hook<"decided">;
  readonly heard: Hook<"heard">;
  readonly said: Hook<"said">;
  readonly amended: Hook<"amended">;
  readonly withdrawn: Hook<"withdrawn">;
  readonly startedOver: Hook<"startedOver">;
  readonly left: Hook<"left">;
  readonly ended: Hook<"ended">;
  readonly settled: Hook<"settled">;
}

export function createCallHooks(features: readonly MadeFeature[], log: Pick<Logger, "error">): CallHooks {
  const all = features.map(({ hooks }) => hooks);
  const jobs: Readonly<Record<string, FeatureJob | undefined>> = mergeOnce(all.map(({ jobs: own }) => own));

  /** A hook costs nothing for the features that do not have it. */
  const having = (name: keyof FeatureHooks) => all.filter((hooks) => hooks[name] !== undefined);

  async function each(
    name: keyof FeatureHooks,
    call: (hooks: FeatureHooks) => Promise<unknown> | undefined,
  ): Promise<void> {
    for (const hooks of having(name)) await call(hooks);
  }

  /** An exception of one feature does not affect the others. */
  async function eachAlone(name: keyof FeatureHooks, call: (hooks: FeatureHooks) => unknown): Promise<void> {
    await Promise.all(
      features
        .filter(({ hooks }) => hooks[name] !== undefined)
        .map(async (feature) => {
          try {
            await call(feature.hooks);
          } catch (error) {
            log.error({ err: error, feature: feature.name, hook: name }, "a feature failed");
          }
        }),
    );
  }

  function endWork(session?: string): boolean {
    let hasEnded = false;
    void eachAlone("endWork", (hooks) => {
      if (hooks.endWork?.(session)) hasEnded = true;
    });
    return hasEnded;
  }

  return {
    opened: () => void eachAlone("opened", (hooks) => hooks.opened?.()),
    start: () => void eachAlone("start", (hooks) => hooks.start?.()),
    stop: () => eachAlone("stop", (hooks) => hooks.stop?.()),
    cleanUp: () => eachAlone("cleanUp", (hooks) => hooks.cleanUp?.()),
    resumed: () => void eachAlone("resumed", (hooks) => hooks.resumed?.()),
    daily: () => void eachAlone("daily", (hooks) => hooks.daily?.()),
    configurationChanged: () => void eachAlone("configurationChanged", (hooks) => hooks.configurationChanged?.()),
    endWork,
    previews: all.find(({ previews }) => previews)?.previews ?? noPreviews,
    findJob: (kind) => (Object.hasOwn(jobs, kind) ? jobs[kind] : undefined),
    events: mergeOnce(all.map(({ events }) => events)) as Hook<"events">,
    questions: {
      list(session) {
        const lists = all.flatMap(({ questions }) => questions?.list(session) ?? []);
        return { open: lists.flatMap(({ open }) => open), closed: lists.flatMap(({ closed }) => closed) };
      },
      async decide(id, yes, given) {
        for (const { questions } of all) if (await questions?.decide(id, yes, given)) return true;
        return false;
      },
    },
    status: (language) => all.flatMap((hooks) => hooks.status?.(language) ?? []),
    async admits(message, account, db) {
      for (const hooks of having("admits")) {
        const answer = await hooks.admits?.(message, account, db);
        if (answer) return answer;
      }
      return undefined;
    },
    async take(message) {
      for (const hooks of having("take")) if (await hooks.take?.(message)) return true;
      return false;
    },
    async pressed(item, press) {
      for (const hooks of having("pressed")) {
        const answer = await hooks.pressed?.(item, press);
        if (answer) return answer;
      }
      return undefined;
    },
    isForHer: (item, message) => all.some((hooks) => hooks.isForHer?.(item, message)),
    async leavesUnanswered(message) {
      for (const hooks of having("leavesUnanswered")) if (await hooks.leavesUnanswered?.(message)) return true;
      return false;
    },
    async notes(turn) {
      const notes: TurnNote[] = [];
      for (const hooks of having("notes")) notes.push(...((await hooks.notes?.(turn)) ?? []));
      return notes;
    },
    async context(input, seen) {
      const found: Partial<TurnContext>[] = [];
      for (const hooks of having("context")) found.push((await hooks.context?.(input, seen)) ?? {});
      const join = (part: keyof TurnContext) => found.flatMap((one) => one[part] || []).join("\n");
      return { preferences: join("preferences"), remembered: join("remembered"), recalled: join("recalled") };
    },
    async orderedCalls(sent) {
      for (const hooks of having("orderedCalls")) {
        const calls = await hooks.orderedCalls?.(sent);
        if (calls) return calls;
      }
      return undefined;
    },
    decided: (tx, question, by) => each("decided", (hooks) => hooks.decided?.(tx, question, by)),
    heard: (tx, heard) => each("heard", (hooks) => hooks.heard?.(tx, heard)),
    said: (tx, said) => each("said", (hooks) => hooks.said?.(tx, said)),
    amended: (session, message, person) => each("amended", (hooks) => hooks.amended?.(session, message, person)),
    withdrawn: (session, messageId) => each("withdrawn", (hooks) => hooks.withdrawn?.(session, messageId)),
    startedOver: (session) => each("startedOver", (hooks) => hooks.startedOver?.(session)),
    left: (item, event) => each("left", (hooks) => hooks.left?.(item, event)),
    async ended(tx, turn) {
      const messages: OutboundMessage[] = [];
      for (const hooks of having("ended")) messages.push(...((await hooks.ended?.(tx, turn)) ?? []));
      return messages;
    },
    settled: (input, isLong) => eachAlone("settled", (hooks) => hooks.settled?.(input, isLong)),
  };
}

/** The rows of all features. No two features may share a row name. */
export function mergeOnce<Row>(tables: readonly (Readonly<Record<string, Row>> | undefined)[]): Record<string, Row> {
  const rows = tables.flatMap((table = {}) => Object.entries(table));
  const twice = rows.find(([name], index) => rows.findIndex(([other]) => other === name) !== index);
  if (twice) throw new AppError("INTERNAL", `Two features have a row for ${twice[0]}.`);
  return Object.fromEntries(rows);
}

/** Calls the hook `speak` of the first feature that has one. */
export async function speakThrough(
  features: readonly MadeFeature[],
  speech: NonNullable<OutboundMessage["speech"]>,
): Promise<Speech> {
  const speaker = features.find(({ hooks }) => hooks.speak !== undefined);
  return (await speaker?.hooks.speak?.(speech)) ?? { kind: "failed", reason: "no server for speech is configured" };
}
