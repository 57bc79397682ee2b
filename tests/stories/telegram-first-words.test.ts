// quick: the story of Telegram
import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const greetings =
  /^(?:来了？有事就说。|……你终于来了。|在。先说好，我手上还有实验。|有什么问题？最好是有意思的那种。|嗯，我在听。)\n/;

test("Telegram lists the commands in each language, /start greets with examples to press, and a pressed one is a message", async () => {
  const story = await startTelegramStory({ environment: { DOCKER_HOST: "unix:///nowhere/docker.sock" } });
  await story.start();
  const { fake } = story;
  await fake.waitFor(() => fake.commandMenus.size === 8, "eight menus");
  const menu = (name: string) => fake.commandMenus.get(name) ?? [];
  const describe = (name: string, command: string) => menu(name).find((one) => one.command === command)?.description;
  expect(describe("all_private_chats ", "stop")).toBe("停下正在做的事");
  expect(describe("all_private_chats zh", "stop")).toBe("停下正在做的事");
  expect(describe("all_private_chats en", "stop")).toBe("Stop what is at work");
  expect(describe("all_group_chats ja", "stop")).toBe("今していることを止める");
  expect(menu("all_group_chats zh").map(({ command }) => command)).not.toContain("pair");
  expect(menu("all_private_chats zh").map(({ command }) => command)).toContain("pair");
  expect(fake.callsOf("setMyCommands").every(({ status }) => status === 200)).toBe(true);

  story.say("/start");
  const welcome = await fake.waitForMessage(({ text }) => text.includes("常用的命令看 /help"));
  expect(welcome.text).toMatch(greetings);
  const labels = welcome.keyboard.flat().map(({ text }) => text);
  // No engine answers here, so no command is offered.
  expect(labels).toEqual(["现在几点？", "列出工作区里的文件"]);

  const asked = "列出工作区里的文件";
  fake.press({ chat: welcome.chat, messageId: welcome.messageId, button: asked });
  await fake.waitFor(() => JSON.stringify(story.model.requests).includes(asked), "the request at the model");
  await fake.waitFor(() => fake.toasts.get("press-1") === asked, "the toast");
  await story.quiet();

  story.say("/worldline");
  const lines = await fake.waitForMessage(({ text }) => text.includes(`「${asked}」`));
  expect(lines.entities).toEqual([{ type: "pre", offset: 0, length: lines.text.length }]);
});
