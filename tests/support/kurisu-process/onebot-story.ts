import { startFakeOneBot, type FakeOneBot } from "../onebot/fake-onebot.ts";
import type { PeerSide } from "../onebot/onebot-peer.ts";
import type { FakeOneBotSettings, FakeQqChat, FakeQqMessage, FakeQqText } from "../onebot/onebot-types.ts";
import { findFreePort } from "./find-free-port.ts";
import { untilTestEnds } from "../keep-until.ts";
import { namesCode, startStory, type Story, type StoryOptions } from "./start-story.ts";

export const qqOwner = { id: 4_242, name: "冈部" };
const home: FakeQqChat = "private:4242";

/** A canary: nobody may ever read it anywhere. */
const accessToken = "canary-OneBot-token_0123456789A";

export interface OneBotStory extends Story<FakeQqChat, FakeQqMessage> {
  readonly fake: FakeOneBot;
  /** A person writes; by default the owner in private. */
  say(text: string, more?: Partial<FakeQqText>): { readonly messageId: number; readonly delivered: number };
}

/** `side`: who opens the connection. In reverse the account calls from the beginning, as NapCat does when Kurisu is not up. */
export async function startOneBotStory(
  side: PeerSide,
  options: StoryOptions & { readonly settings?: Partial<FakeOneBotSettings> } = {},
): Promise<OneBotStory> {
  const { keep = untilTestEnds } = options;
  const fake = await startFakeOneBot({ token: accessToken, ...options.settings });
  keep(() => fake[Symbol.asyncDispose]());
  fake.befriend(qqOwner);
  const port = side === "forward" ? 0 : await findFreePort();
  if (side === "reverse") fake.connectTo(`ws://127.0.0.1:${port}/onebot/v11/ws`);
  const story = await startStory<FakeQqChat, FakeQqMessage>(
    {
      environment: {
        ONEBOT_ACCESS_TOKEN: accessToken,
        ...(side === "forward" ? { ONEBOT_WS_URL: fake.url } : { KURISU_PORT: String(port) }),
      },
      settings: { section: "onebot", values: { pace: { chat: 0, group: 0, all: 0 } } },
      owner: `qq:${qqOwner.id}`,
      home,
      secrets: [accessToken],
      botMessages: fake.botMessages,
      waitForMessage: fake.waitForMessage,
      firstText: ({ text }) => text,
      isCard: ({ text }) => namesCode(text),
      isQuiet: () => true,
      sent: () => fake.calls.map(({ params }) => params),
    },
    options,
  );
  keep(() => refuseViolations(fake));
  return { ...story, fake, say: (text, more = {}) => fake.say({ chat: home, text, ...more }) };
}

function refuseViolations({ violations }: FakeOneBot): void {
  if (violations.length > 0) throw new Error(`frames that no client may send: ${violations.join("; ")}`);
}
