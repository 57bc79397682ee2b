import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { waitUntil } from "../support/wait-until.ts";

const stranger = 77;
const pairingCode = /配对码：([A-Z0-9]{4}-[A-Z0-9]{4})/;

test("the first sender of the start screen's code is the owner; a stranger gets one hint, an owner lets them in", async () => {
  const story = await startTelegramStory({ withOwner: false });
  const kurisu = await story.start();
  const onScreen = () => /配对码\s+([A-Z0-9]{4}-[A-Z0-9]{4})/.exec(kurisu.stdout())?.[1];
  await waitUntil("the code on the start screen", () => onScreen() !== undefined);
  const ownerCode = onScreen() ?? "";

  story.say("/start", { chat: stranger });
  await story.hear(/^我还没有管理员/, { chat: stranger });
  story.say("在吗？", { chat: stranger });
  story.say("运行 ls", { chat: stranger });
  story.say("/status", { chat: stranger });
  story.say("AAAA-BBBB", { chat: stranger });
  await story.hear("配对码不对，或者已经过期。", { chat: stranger });
  await story.quiet();
  expect(story.said(stranger), "one hint, one answer to a wrong code, else silence").toHaveLength(2);
  expect(story.model.requests).toEqual([]);

  // Only the first one counts, in whatever spelling.
  story.say(`我的码是 ${ownerCode.toLowerCase().replace("-", " ")}`);
  await story.hear(/从现在起你是管理员/);
  story.say(ownerCode, { chat: stranger });
  await story.hear("配对码不对，或者已经过期。", { chat: stranger });

  story.say("你好，我想试试", { chat: stranger });
  const hint = await story.hear(pairingCode, { chat: stranger });
  const code = pairingCode.exec(hint.text)?.[1] ?? "";
  expect(code).not.toBe(ownerCode);

  story.say("/pair ZZZZ-ZZZZ");
  await story.hear("配对码不对，或者已经过期。");
  story.say(`/pair ${code}`);
  await story.hear(/好，Person 77 可以和我聊了/);
  await story.hear(/管理员批准了/, { chat: stranger });
  story.say("在吗？", { chat: stranger });
  await story.hear("嗯，我在听。", { chat: stranger });
  story.say(`/pair ${code}`, { chat: stranger });
  await story.hear("这个命令只有管理员能用。", { chat: stranger });

  await story.quiet();
  expect((await kurisu.stop()).code).toBe(0);
  const again = await story.start();
  expect(again.stdout()).toMatch(/管理员\s+已设置/);
  expect(again.stdout()).not.toContain(ownerCode);
  story.say("还记得我吗");
  await story.hear("嗯，我在听。");
});
