import { startFakeQqBot, type FakeQqBot } from "../qq/fake-qq-bot.ts";
import type { FakeBotMessage, FakeChatName, FakeQqBotSettings, FakeText } from "../qq/qq-types.ts";
import { findFreePort } from "./find-free-port.ts";
import { untilTestEnds } from "../keep-until.ts";
import { namesCode, startStory, type Story, type StoryOptions } from "./start-story.ts";

/** The same person has another openid alone with her than in a group. */
const qqBotOwner = { id: "0FFICE1A2B3C4D5E6F708192A3B4C5D6", name: "冈部" };
export const ownerInGroup = { id: "MEMBER1A2B3C4D5E6F708192A3B4C5D6", name: "冈部" };
export const qqGroup = "C9F778FE6ADF9D1D1DBE395BF744A33A";
const home: FakeChatName = `private:${qqBotOwner.id}`;

/** A canary: nobody may ever read it anywhere. */
const secret = "canary-QQ-secret-0123456789";

export interface QqBotStory extends Story<FakeChatName, FakeBotMessage> {
  readonly fake: FakeQqBot;
  /** A person writes; by default the owner in private. */
  say(text: string, more?: Partial<FakeText>): { readonly messageId: string };
  /** A new process is there: Tencent goes on calling its address. */
  connect(): Promise<void>;
}

export async function startQqBotStory(
  side: "gateway" | "webhook",
  options: StoryOptions & { readonly settings?: Partial<FakeQqBotSettings> } = {},
): Promise<QqBotStory> {
  const { keep = untilTestEnds } = options;
  const fake = await startFakeQqBot({ secret, ...options.settings });
  keep(() => fake[Symbol.asyncDispose]());
  const port = side === "webhook" ? await findFreePort() : 0;
  const webhookUrl = `http://127.0.0.1:${port}/webhook/qq`;
  const story = await startStory<FakeChatName, FakeBotMessage>(
    {
      environment: {
        QQ_APP_ID: fake.settings.appId,
        QQ_APP_SECRET: secret,
        QQ_API_ROOT: fake.url,
        QQ_TOKEN_URL: fake.tokenUrl,
        ...(side === "webhook" && { KURISU_PORT: String(port), QQ_WEBHOOK_URL: webhookUrl }),
      },
      owner: `qqbot:${qqBotOwner.id},qq:${ownerInGroup.id}`,
      home,
      secrets: [secret],
      botMessages: fake.botMessages,
      waitForMessage: fake.waitForMessage,
      firstText: ({ text }) => text,
      isCard: ({ text }) => namesCode(text),
      isQuiet: () => true,
      // The address for tokens is the one place that is told the secret.
      sent: () => fake.calls.filter(({ path }) => !path.startsWith("/app/")).map(({ body }) => body),
    },
    options,
  );
  return {
    ...story,
    fake,
    say: (text, more = {}) => fake.say({ chat: home, from: qqBotOwner, text, ...more }),
    async connect() {
      if (side === "webhook") await fake.callWebhook(webhookUrl);
    },
  };
}
