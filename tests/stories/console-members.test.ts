import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const member = 5151;

test("a member asks for a code in Telegram, signs in to the console with it once, and is shown what is their own alone", async () => {
  const story = await startTelegramStory({
    files: {
      "system/console.yaml": "members: true\n",
      "system/channels.yaml": `telegram: { allow: ["${member}"] }\n`,
    },
    environment: { KURISU_MODEL: "offline" },
  });
  const { url } = await story.start();
  const from = { id: member, name: "阿泽" };
  story.say("你好，我是阿泽", { chat: member, from });
  await story.fake.waitForMessage(({ chat }) => chat === member);
  story.say("/console", { chat: member, from });
  const told = await story.fake.waitForMessage(({ chat, texts }) => chat === member && /登录码是/.test(texts[0] ?? ""));
  const [code = ""] = /\b[2-9A-Z]{4}-?[2-9A-Z]{4}\b/.exec(told.texts[0] ?? "") ?? [];

  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: url };
  const enter = () => fetch(`${url}/api/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  const entered = await enter();
  expect(entered.status).toBe(204);
  expect((await enter()).status, "the code is used").toBe(401);
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const ask = async (path: string) => {
    const answer = await fetch(`${url}/api${path}`, { headers: { ...headers, cookie } });
    return { status: answer.status, text: await answer.text() };
  };
  expect(JSON.parse((await ask("/me")).text)).toMatchObject({ authed: true, role: "member" });
  const chats = await ask("/sessions");
  expect(chats.status).toBe(200);
  expect((JSON.parse(chats.text) as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([
    `telegram:987654321:${member}`,
  ]);
  for (const path of ["/today", "/people", "/config", "/personas", "/log"])
    expect((await ask(path)).status, `a member asks for ${path}`).toBe(403);
});
