import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { NodeRole } from "../../../src/store/engines/open-cluster.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { waitUntil } from "../wait-until.ts";
import { lastWords, type ModelScript } from "./scripted-model.ts";
import type { RunningKurisu } from "./start-kurisu.ts";
import type { StoryOptions } from "./start-story.ts";
import { startTelegramStory, type TelegramStory } from "./telegram-story.ts";

export const people: readonly number[] = [5001, 5002, 5003, 5004];
const answerMs = 1_500;

/** Several starts of the program on one database, and people who all say the same. */
export interface Nodes {
  readonly story: TelegramStory;
  start(role: NodeRole, environment?: Readonly<Record<string, string>>): Promise<RunningKurisu>;
  /** Each person says these numbers. */
  sayAll(...numbers: readonly number[]): void;
  /** Each person has these answers, in order and once. */
  hearAll(...numbers: readonly number[]): Promise<void>;
}

/** The answer to a number, by a model that needs a while. */
export const answerSlowly: ModelScript = async (request) => {
  await pause(answerMs);
  return { content: `第 ${numberIn(lastWords(request))} 条收到。` };
};

export const numberIn = (text: string): string => /\d+/.exec(text)?.[0] ?? "";

export async function openNodes(options: Pick<StoryOptions, "files" | "script" | "url"> = {}): Promise<Nodes> {
  const story = await startTelegramStory({
    engine: "postgres",
    script: answerSlowly,
    ...options,
    environment: { KURISU_OWNERS: people.map((id) => `telegram:${id}`).join(",") },
  });
  const heardBy = (chat: number) => story.said(chat).flatMap((text) => /第 (\d+) 条收到。/.exec(text)?.[1] ?? []);
  return {
    story,
    start: async (role, environment = {}) =>
      story.start({ role, environment: { KURISU_HOME: await createTemporaryFolder(), ...environment } }),
    sayAll(...numbers) {
      for (const number of numbers)
        for (const id of people) story.say(`这是 ${number}`, { chat: id, from: { id, name: `冈部${id}` } });
    },
    async hearAll(...numbers) {
      const wanted = JSON.stringify(numbers.map(String));
      const isComplete = () => people.every((id) => heardBy(id).length >= numbers.length);
      await waitUntil(`${numbers.length} answers in every chat`, isComplete);
      for (const id of people) expect(JSON.stringify(heardBy(id))).toBe(wanted);
    },
  };
}
