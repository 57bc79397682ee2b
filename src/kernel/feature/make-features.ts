import type { ChatCommand } from "../commands/command-info.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import type { Feature, FeatureHooks, Kernel } from "./define-feature.ts";
import type { Speech } from "./speech.ts";

/** A feature with its settings, ready to take part. */
export interface MadeFeature {
  readonly name: string;
  readonly hooks: FeatureHooks;
  readonly commands: readonly ChatCommand[];
}

/** `settings` = the settings read at start-up, keyed by feature name. */
export function makeFeatures(
  features: readonly Feature[],
  kernel: Kernel,
  settings: Readonly<Record<string, unknown>>,
): readonly MadeFeature[] {
  return features.map((feature) => {
    const hooks = feature.make(kernel, settings[feature.name]);
    const commands = (feature.commands ?? []).map((row): ChatCommand => ({
      ...row,
      answer: (call) => row.answer(hooks, call),
      complete: async (session, words) => (await row.complete?.(hooks, session, words)) ?? [],
    }));
    return { name: feature.name, hooks, commands };
  });
}

/** Calls the features' hook `speak`; the first that has one makes the sound. */
export async function speakThrough(
  features: readonly MadeFeature[],
  speech: NonNullable<OutboundMessage["speech"]>,
): Promise<Speech> {
  const speaker = features.find(({ hooks }) => hooks.speak !== undefined);
  return (await speaker?.hooks.speak?.(speech)) ?? { kind: "failed", reason: "no server for speech is configured" };
}
