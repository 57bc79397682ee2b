import type { FakeFileMessage, FakeMessage, FakeText } from "../telegram/fake-bot-types.ts";
import { startFakeBotApi, type FakeBotApi } from "../telegram/fake-bot-api.ts";
import { untilTestEnds } from "../keep-until.ts";
import { namesCode, startStory, type Story, type StoryOptions } from "./start-story.ts";

/** The owner's id, which is also the number of their private chat. */
export const owner = 4242;

/** Shaped like a real one, and a canary: nobody may ever read it anywhere. */
const botToken = "987654321:AAcanary-Telegram-Token_0123456789A";

export interface TelegramStory extends Story<number, FakeMessage> {
  readonly fake: FakeBotApi;
  /** A person writes; by default the owner in private. */
  say(text: string, more?: Partial<FakeText>): { readonly updateId: number; readonly messageId: number };
  /** A person sends a file; by default the owner in private. */
  sendFile(file: Omit<FakeFileMessage, "chat"> & { readonly chat?: number }): { readonly messageId: number };
}

export async function startTelegramStory(options: StoryOptions = {}): Promise<TelegramStory> {
  const { keep = untilTestEnds } = options;
  const fake = await startFakeBotApi({ token: botToken });
  keep(() => fake[Symbol.asyncDispose]());
  const story = await startStory<number, FakeMessage>(
    {
      environment: { TELEGRAM_BOT_TOKEN: botToken, TELEGRAM_API_ROOT: fake.url },
      settings: { section: "telegram", values: { pace: { chat: 0, group: 0, all: 0 } } },
      owner: `telegram:${owner}`,
      home: owner,
      secrets: [botToken],
      botMessages: fake.botMessages,
      waitForMessage: fake.waitForMessage,
      firstText: ({ texts }) => texts[0] ?? "",
      isCard: ({ keyboard, texts }) => keyboard.length > 0 || namesCode(texts[0] ?? ""),
      isQuiet: () => fake.pendingUpdates().length === 0,
      sent: () => fake.calls.map(({ payload }) => payload),
    },
    options,
  );
  return {
    ...story,
    fake,
    say: (text, more = {}) => fake.sendText({ chat: owner, text, ...more }),
    sendFile: (file) => fake.sendFile({ chat: owner, ...file }),
  };
}
