/* Reminders without any key: the offline model sets one that rings; the operator lists and cancels from outside. */
import { expect, test } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";

test("a reminder is set in words, told when it is due, and listed and cancelled by the operator", async () => {
  const folder = createKurisuFolder();
  const environment = { KURISU_MODEL: "offline" };
  const run = async (...given: readonly string[]) => {
    const done = spawnKurisu(["reminders", ...given], { folder, environment });
    const { code } = await done.ended();
    return { code, out: done.stdout() };
  };
  const talk = async (...lines: readonly string[]) => {
    const chat = spawnKurisu(["chat"], { folder, environment, input: `${lines.join("\n")}\n` });
    expect((await chat.ended()).code).toBe(0);
    return chat.stdout();
  };
  const start = await startKurisu({ folder, environment });
  const heard = await talk(
    "两秒后提醒我喝水",
    "明早八点提醒我开会",
    "一会儿提醒我睡觉",
    "下星期提醒我吃饭",
    "后天下午3点到5点提醒我面试",
    "remind me on the last monday of the month at 13:00 to pay rent",
  );
  expect(heard).toMatch(
    /喝水[^]*08:00[^]*什么时候[^]*哪一天、几点？[^]*这是一段时间[^]*I don't understand all of that time/,
  );
  await expect
    .poll(async () => JSON.stringify(await lookIntoStore(folder, "select payload from outbox")))
    .toMatch(/(?:到点|时间)[^"]*：喝水/);
  expect(await talk("我有哪些提醒")).toMatch(/1\. .*08:00（还有 .+）开会/);
  const [listed] = [await run("list", "--json")];
  const reminder = JSON.parse(listed?.out ?? "") as { readonly id: string };
  expect(reminder).toMatchObject({ person: "cli:owner", text: "开会", task: false });
  expect((await run("cancel", reminder.id)).out).toBe("cancelled: 开会\n");
  expect((await run("cancel", reminder.id)).code).toBe(78);
  expect(await talk("我有哪些提醒", "取消提醒2")).toMatch(/没有[^]*没有/);
  expect((await start.stop()).code).toBe(0);
  expect(await run("list")).toEqual({ code: 0, out: "No reminders are waiting.\n" });
});
