import { defineFeature, type Kernel } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { oversightWords } from "./words.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import { listUsage } from "../../store/queries/usage.ts";
import { describeProof } from "./describe-proof.ts";
import { describeUsage } from "./describe-usage.ts";
import { findProof } from "./find-proof.ts";

/**
 * Lets people see what was done in their name, and what it cost.
 *
 *     /usage   the tokens of the day and their limits; in private an owner sees those of every person
 *     /proof   each call behind the last answer, with its question, its time and its row of the audit chain
 *
 * The assembly notifies owners of limits that are close, of refused tools and of a faulty configuration:
 * `describe-usage.ts`, `tell-tools-refused.ts`, `configuration-notices.ts`. The kill switch is the kernel's
 * (`kernel/pause`).
 */
export const oversight = defineFeature({
  name: "oversight",
  words: oversightWords,
  make: (kernel) => ({ usage: createShowUsage(kernel), proof: createShowProof(kernel) }),
  commands: [
    {
      names: ["usage"],
      menu: pickMenu(oversightWords, "usage"),
      who: "members",
      whilePaused: true,
      answer: ({ usage }, call) => usage(call),
    },
    {
      names: ["proof"],
      menu: pickMenu(oversightWords, "proof"),
      who: "everybody",
      whilePaused: true,
      inGroups: true,
      answer: ({ proof }, call) => proof(call),
    },
  ],
});

function createShowUsage({ budget, hasCheaper, store }: Pick<Kernel, "budget" | "hasCheaper" | "store">) {
  return async ({ message, person, session, language }: CommandCall): Promise<CommandAnswer> => {
    await store.usage.flush();
    const owner = person.role === "owner";
    const state = await budget.look({ id: person.id, owner, chat: session });
    // A group is no place for the usage of others.
    const showsAll = owner && message.chatKind === "private";
    const rows = showsAll ? await listUsage(store.main, state.day) : [];
    return { text: describeUsage(state, rows, language, { showsAll, hasCheaper: hasCheaper() }) };
  };
}

function createShowProof({ store, zone }: Pick<Kernel, "store" | "zone">) {
  return async ({ session, person, language }: CommandCall): Promise<CommandAnswer> => ({
    text: describeProof(await findProof(store, session), language, zone(), person.role !== "guest"),
  });
}
