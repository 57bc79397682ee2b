import { tables } from "../../../src/assembly/features.ts";
import { insertReminder } from "../../../src/features/reminders/queries/reminders.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { addUsage } from "../../../src/store/queries/usage.ts";
import { addChat, reply, say } from "../console/add-chat.ts";
import { owner, startTelegramStory, type TelegramStory } from "../kurisu-process/telegram-story.ts";
import { scriptScene, type Scene } from "./scenes.ts";

const dayMs = 24 * 3_600_000;
/** The owner's conversation. */
export const ownChat = "telegram:987654321:4242";

/** Adds the time before today: costs of two weeks, a group, a reminder. */
async function fillHistory(story: TelegramStory, { group, language, owner: name, reminder }: Scene): Promise<void> {
  const store = await openStore({ home: story.folder.home }, tables);
  const now = Date.now();
  const session = "telegram:987654321:-1001";
  await addChat(store, {
    id: session,
    title: group.title,
    at: now - 3 * 3_600_000,
    messages: group.lines.map(([who, text]) => (who === "" ? reply(text) : say(text, who, `telegram:${who}`))),
  });
  for (let ago = 13; ago >= 0; ago -= 1) {
    const day = new Intl.DateTimeFormat("sv", { timeZone: "Asia/Shanghai" }).format(now - ago * dayMs);
    const share = 0.25 + ((ago * 7) % 11) / 10;
    const tokens = { input: Math.round(610_000 * share), output: Math.round(21_000 * share) };
    const used = { calls: 40, estimated: 0, cached: Math.round(430_000 * share), cost: Math.round(900_000 * share) };
    await addUsage(store.main, {
      day,
      person: `telegram:${owner}`,
      session,
      model: "deepseek-chat",
      ...tokens,
      ...used,
    });
  }
  await insertReminder(store.main, {
    id: "reminder_1",
    person: `telegram:${owner}`,
    name,
    session,
    text: reminder,
    task: false,
    schedule: { kind: "once", at: now + 14 * 3_600_000 } as never,
    zone: "Asia/Shanghai",
    language,
    taint: "owner",
    sources: [],
    nextDue: now + 14 * 3_600_000,
    now,
  });
  await store.close();
}

/** A program that has lived through the scene, and the cookie of a browser that is signed in to its console. */
export interface PlayedScene {
  readonly url: string;
  readonly cookie: { readonly name: string; readonly value: string; readonly url: string };
  stop(): Promise<void>;
}

export async function playScene(scene: Scene): Promise<PlayedScene> {
  const { language, owner: name } = scene;
  const story = await startTelegramStory({
    script: scriptScene(scene),
    environment: { KURISU_MODEL: "openai:deepseek-chat", KURISU_TIMEZONE: "Asia/Shanghai" },
  });
  await fillHistory(story, scene);
  const kurisu = await story.start();
  const from = { id: owner, name, locale: language };
  story.say(scene.question, { from });
  await story.hear(/尖波|ripple/);
  story.sendFile({ content: Buffer.from(scene.notes), name: "notes.txt", caption: scene.task, from });
  await story.fake.waitForMessage(({ keyboard }) => keyboard.length > 0, 60_000);
  story.fake.sendText({
    chat: 5151,
    text: scene.stranger.says,
    from: { id: 5151, name: scene.stranger.name, locale: language },
  });
  await story.quiet();

  const { url } = kurisu;
  const [code = ""] = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(kurisu.stdout()) ?? [];
  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: url };
  const entered = await fetch(`${url}/api/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  const [cookieName = "", value = ""] = (entered.headers.getSetCookie()[0]?.split(";")[0] ?? "").split("=");
  return { url, cookie: { name: cookieName, value, url }, stop: async () => void (await kurisu.stop()) };
}
