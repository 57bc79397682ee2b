import { eraseWords } from "../erase/words.ts";
import type { Kysely } from "kysely";
import { createOrderCalls } from "../../kernel/commands/order-calls.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { memoryWords } from "./words.ts";
import type { HeardMessage } from "../../kernel/feature/hook-arguments.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Database } from "../../store/schema/database.ts";
import { erase } from "../erase/erase.ts";
import { summaries } from "../summaries/summaries.ts";
import { openMeaning } from "./embedding/open-meaning.ts";
import { memoryOptions, type MemoryOptions } from "./memory-options.ts";
import { createFindContext } from "./find-context.ts";
import { createFactJobs } from "./fact-jobs.ts";
import { createFactReader } from "./facts/fact-reader.ts";
import { createForgetAsOperator, type ForgetMemoryRequest } from "./forget-as-operator.ts";
import { createMemoryCommands, namesAll } from "./memory-commands.ts";
import { createNoteFacts } from "./note-facts.ts";
import { createOwnerMemories } from "./owner-memories.ts";
import { createPreferenceCommands } from "./preference-commands.ts";
import { learnFromDecision } from "./preferences/learn-from-decision.ts";
import { noteWishes } from "./preferences/note-wishes.ts";
import type { MemoryParts } from "./tools/memory-parts.ts";
import { memoryTables } from "./tables.ts";

/**
 * Facts about people, stated by them or extracted by rules and by a model, each with the message it comes from.
 *
 * There are two readers of facts. Rules (`language/facts/`, `note-facts.ts`) read a message in the transaction that keeps it: they cost nothing, work
 * without a model, put right what was told a moment ago, and the answer to that very message knows what they found; but they see plain statements
 * only. A model (`fact-jobs.ts`, `facts/`) reads the same messages later, several at once, at the speaker's expense. It may not say what a fact takes the
 * place of: where a person has one at a time (a home, a name), rules for sentences decide. `people/remember.ts` keeps what both find,
 * and knows what it has already.
 *
 *     context                habits, memories and old sentences for the prompt
 *     decided                counts how people decide, as habits
 *     heard                  notes wishes, and facts by rules; the words wait for a model
 *     settled -> job `facts` a small model reads what waits
 *     /memory /remember /forget /preferences
 *     tools                  `remember`, `recall_memory`, `get_user_profile`, `list_memories`, `forget`
 *     start -> vector writer with an embedding model, memories and messages can be found by meaning, too
 */
export const memory = defineFeature({
  name: "memory",
  needs: { erase, summaries },
  tables: memoryTables,
  files: { memory: memoryOptions },
  configure: (_values, files) => (files as { readonly memory: MemoryOptions }).memory,
  words: memoryWords,
  make(kernel, options, { erase: erasing }) {
    const { personaOf, scrub, store } = kernel;
    const search = openMeaning({ ...kernel, options });
    const toolParts: MemoryParts = {
      database: () => store.main,
      servedAs: () => options().served.person,
      memory: {
        personaOf,
        meaning: search.meaning,
        scrub,
        async forgetAll(asked) {
          await erasing.order(asked);
          return { begun: eraseWords[asked.language].begun };
        },
      },
    };
    const factReader = createFactReader({ ...kernel, models: kernel.smallModel, options });
    const factJobs = createFactJobs({
      ...kernel,
      factReader,
      findPause: kernel.findPause,
      pushToLane: (item) => kernel.gateway.pushToLane(item),
    });
    const noteFacts = createNoteFacts({ ...kernel, options, onDue: factJobs.noteDue });
    const forgetAsOperator = createForgetAsOperator(kernel);
    const order = createOrderCalls({ store, pushToLane: (item) => kernel.gateway.pushToLane(item) });
    return {
      async heard(tx: Kysely<Database>, { item, message, person, taint, turn }: HeardMessage) {
        if (turn === undefined) return;
        const now = kernel.clock.now();
        if (taint !== "untrusted") await noteWishes(tx, message, person, now);
        const about = { session: item.session, taint, turnTaint: turn.taint, language: turn.language, now };
        await noteFacts(tx, { message, person, ...about });
      },
      context: createFindContext({ ...kernel, options, meaning: search.meaning }),
      decided: (tx: Kysely<Database>, question: Question, by: string) =>
        learnFromDecision(tx, question, by, kernel.clock.now(), Object.keys(kernel.toolSettings().overrides)),
      settled: factJobs.order,
      jobs: { facts: { lane: () => "facts", whilePaused: true, silent: true, work: factJobs.work } } as const,
      ...createMemoryCommands({ ...kernel, order, memory: { personaOf, options, scrub } }),
      preferences: createPreferenceCommands(kernel),
      requests: {
        "forget-memory": async ({ memory: number, person }: ForgetMemoryRequest) =>
          String(await forgetAsOperator({ account: person, memory: number, by: "cli:owner" })),
      },
      start: search.start,
      stop: search.stop,
      /** Search by meaning; undefined = words are compared. */
      meaning: search.meaning,
      toolParts,
      owner: createOwnerMemories(kernel),
    };
  },
  commands: [
    {
      names: ["memory", "记忆"],
      menu: pickMenu(memoryWords, "memory"),
      everyday: true,
      who: "members",
      inGroups: true,
      answer: (made, call) => made.memory(call),
    },
    {
      names: ["remember"],
      menu: pickMenu(memoryWords, "remember"),
      everyday: true,
      who: "members",
      inGroups: true,
      answer: (made, call) => made.remember(call),
    },
    {
      names: ["forget", "忘记"],
      menu: pickMenu(memoryWords, "forget"),
      everyday: true,
      who: "members",
      inGroups: true,
      beginsTurn: namesAll,
      answer: (made, call) => made.forget(call),
    },
    {
      names: ["preferences", "preference"],
      menu: pickMenu(memoryWords, "preferences"),
      everyday: true,
      who: "members",
      answer: (made, call) => made.preferences(call),
    },
  ],
  cli: [
    {
      name: "memory",
      summary: {
        zh: "查看、搜索和忘掉她记得的某个人的事",
        en: "show, search and forget what she remembers of a person",
        ja: "ある人について覚えていることの表示、検索、忘却",
      },
      load: async () => (await import("./memory-command.ts")).memoryCommand,
    },
  ],
  tools: {
    remember: async ({ toolParts }) => (await import("./tools/remember.ts")).createRememberTool(toolParts),
    recall_memory: async ({ toolParts }) =>
      (await import("./tools/recall-memory.ts")).createRecallMemoryTool(toolParts),
    get_user_profile: async ({ toolParts }) =>
      (await import("./tools/get-user-profile.ts")).createGetUserProfileTool(toolParts),
    list_memories: async ({ toolParts }) =>
      (await import("./tools/list-memories.ts")).createListMemoriesTool(toolParts),
    forget: async ({ toolParts }) => (await import("./tools/forget.ts")).createForgetTool(toolParts),
  },
});
