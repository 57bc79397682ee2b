import { afterAll, beforeAll, expect } from "vitest";
import type { ModelScript } from "./scripted-model.ts";
import type { RunningKurisu } from "./start-kurisu.ts";
import type { StoryOptions } from "./start-story.ts";
import { startTelegramStory, type TelegramStory } from "./telegram-story.ts";

/** A test's own part of a shared story: an owner of its own, in a chat and with a workspace of their own. */
export interface StoryChapter extends TelegramStory {
  /** The process that runs now. Who ends it starts another one, for those that come after. */
  readonly kurisu: RunningKurisu;
  /** The owner of this chapter, and the number of their private chat. */
  readonly owner: number;
  /** A group of this chapter's own, which its owner has not opened yet. */
  readonly group: number;
}

const firstOwner = 4300;
const chapters = 40;

/**
 * One running Kurisu for all tests of a file that want no other settings. Each test begins a chapter; what earlier chapters
 * said, did and asked of the model is not seen in it. In the database and at the platform it is. At the end it must stop well.
 */
export function shareTelegramStory(
  options: Omit<StoryOptions, "keep" | "script"> = {},
): (script?: ModelScript) => StoryChapter {
  const ends = new AsyncDisposableStack();
  let story: TelegramStory | undefined;
  let kurisu: RunningKurisu | undefined;
  let begun = 0;
  let current: ModelScript | undefined;

  beforeAll(async () => {
    const owners = Array.from({ length: chapters }, (_, index) => `telegram:${firstOwner + index}`).join(",");
    story = await startTelegramStory({
      ...options,
      environment: { KURISU_OWNERS: owners, ...options.environment },
      script: (request) => current?.(request),
      keep: (end) => ends.defer(end),
    });
    kurisu = await story.start();
  });
  afterAll(async () => {
    try {
      if (kurisu !== undefined) expect((await kurisu.stop()).code).toBe(0);
    } finally {
      await ends.disposeAsync();
    }
  });

  return (script) => {
    if (story === undefined) throw new Error("a chapter begins in a test");
    const whole = story;
    if (begun === chapters) throw new Error(`there are no more than ${chapters} owners`);
    const owner = firstOwner + begun;
    begun += 1;
    current = script;
    return {
      ...openChapter(whole, owner),
      owner,
      group: -100_000 - owner,
      get kurisu() {
        if (kurisu === undefined) throw new Error("nothing has been started");
        return kurisu;
      },
      async start(more) {
        kurisu = await whole.start(more);
        return kurisu;
      },
    };
  };
}

function openChapter(story: TelegramStory, owner: number): TelegramStory {
  const { folder, model } = story;
  const asked = model.requests.length;
  const older = new Set(folder.workspaces());
  return {
    ...story,
    folder: {
      ...folder,
      workspaces: () => folder.workspaces().filter((name) => !older.has(name)),
      workspaceLines: (file) => folder.workspaceLines(file, (name) => !older.has(name)),
    },
    model: {
      ...model,
      get requests() {
        return model.requests.slice(asked);
      },
    },
    hear: (words, { chat = owner, timeoutMs } = {}) =>
      story.hear(words, { chat, ...(timeoutMs !== undefined && { timeoutMs }) }),
    hearQuestion: (chat = owner) => story.hearQuestion(chat),
    said: (chat = owner) => story.said(chat),
    say: (text, more = {}) => story.say(text, { chat: owner, ...more }),
    sendFile: (file) => story.sendFile({ chat: owner, ...file }),
  };
}
