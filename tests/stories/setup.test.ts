import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { untilTestEnds } from "../support/keep-until.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { callTools, modelKey, startScriptedModel } from "../support/kurisu-process/scripted-model.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { enter, openTerminal, type Terminal } from "../support/kurisu-process/terminal.ts";
import { terminalIsThere } from "../support/announce-terminal.ts";
import { waitUntil } from "../support/wait-until.ts";
import { startFakeBotApi } from "../support/telegram/fake-bot-api.ts";

const token = "987654321:AAcanary-Telegram-Token_0123456789A";
const owner = 4242;
const down = "\u001B[B";
const up = "\u001B[A";
/** Ctrl-U empties the line. */
const wipe = "\u0015";
const ctrlC = "\u0003";

/** Answers the question that shows the words: what it shows before is not looked at again. */
function followScreens(terminal: Terminal) {
  let read = 0;
  return {
    async at(words: string): Promise<void> {
      const isThere = () => terminal.seen().includes(words, read);
      await waitUntil(words, isThere).catch((cause: unknown) => {
        throw new Error(`${String(cause)}; there is: ${terminal.seen().slice(read)}`, { cause });
      });
      read = terminal.seen().indexOf(words, read) + words.length;
    },
    async answer(words: string, keys: string): Promise<void> {
      await this.at(words);
      terminal.type(keys);
    },
  };
}

describe.runIf(terminalIsThere())("kurisu setup", () => {
  test("leads from an empty folder to the first answer in Telegram; again it changes nothing that is kept", async () => {
    const folder = createKurisuFolder();
    const model = await startScriptedModel(({ tools }) =>
      tools?.some((tool) => tool.function.name === "report_word") === true
        ? callTools({ name: "report_word", arguments: { word: "ready" } })
        : undefined,
    );
    const fake = await startFakeBotApi({ token });
    untilTestEnds(() => fake[Symbol.asyncDispose]());
    const file = join(dirname(folder.config), ".env");
    const environment = { TELEGRAM_API_ROOT: fake.url, DOCKER_HOST: "unix:///nowhere/docker.sock" };

    // As on a machine without a zone, wherever the test runs.
    const first = openTerminal(["setup"], { folder, environment: { ...environment, TZ: "" } });
    const screens = followScreens(first);
    await screens.answer("言語", enter);
    // The list is long: the way up leads to its end, and there stands the server of one's own, before the offline model.
    await screens.answer("用哪个模型", up + up + enter);
    await screens.answer("服务器的地址", `127.0.0.1${enter}`);
    await screens.answer("要以 http:// 或 https:// 开头", `${wipe}http://127.0.0.1:9/v1${enter}`);
    await screens.answer("API key", modelKey + enter);
    await screens.answer("模型的名字", `test${enter}`);
    await screens.at("没有得到回答");
    // A key that is pressed before the question stands is lost.
    await screens.answer("怎么办？", enter);
    await screens.answer("服务器的地址", `${wipe}${model.environment["OPENAI_BASE_URL"]}${enter}`);
    // The key that was meant for another address is not sent here.
    await screens.answer("API key", modelKey + enter);
    await screens.answer("模型的名字", enter);
    await screens.at("模型回答了");
    await screens.at("工具：能用");
    await screens.at("图片：收");
    await screens.answer("Telegram 机器人的 token", token + enter);
    await screens.at(`连上了：@`);
    await screens.answer("QQ", enter);
    await screens.answer("谁是管理员", enter);
    await screens.answer("你在哪个时区", `${wipe}UTC+8${enter}`);
    await screens.answer("要写成 Asia/Shanghai 这样", `${wipe}asia/tokyo${enter}`);
    await screens.at("没有它我就不运行命令");
    await screens.at("只有你自己能读");
    expect(existsSync(file), "nothing is written before the yes").toBe(false);
    await screens.answer("写进去吗", enter);
    await screens.at("下一步：npm start");
    expect(await first.ended()).toBe(0);
    for (const secret of [token, modelKey]) expect(first.raw()).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain("TZ=Asia/Tokyo\n");

    const kurisu = await startKurisu({ folder, environment });
    const onScreen = () => /配对码\s+([A-Z0-9]{4}-[A-Z0-9]{4})/.exec(kurisu.stdout())?.[1];
    await waitUntil("the code on the start screen", () => onScreen() !== undefined);
    const code = onScreen() ?? "";
    fake.sendText({ chat: owner, text: code });
    await fake.waitForMessage(({ text }) => text.includes("从现在起你是管理员"));
    fake.sendText({ chat: owner, text: "在吗？" });
    await fake.waitForMessage(({ text }) => text === "嗯，我在听。");
    expect((await kurisu.stop()).code).toBe(0);

    // Somebody else's lines, and then Enter at every question.
    writeFileSync(file, `${readFileSync(file, "utf8")}\n# mine\nOTHER='x # y' # kept`, { mode: 0o600 });
    const before = readFileSync(file, "utf8");
    const second = openTerminal(["setup"], { folder, environment });
    const again = followScreens(second);
    for (const question of ["言語", "不变：openai:test", "不变：987…789A", "QQ", "谁是管理员"])
      await again.answer(question, enter);
    await again.at("保持原样");
    expect(await second.ended()).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(before);

    const third = openTerminal(["setup"], { folder, environment });
    const left = followScreens(third);
    await left.answer("言語", down + enter);
    await left.answer("Keep openai:test", up + enter);
    await left.answer("Keep 987…789A", ctrlC);
    await left.at("Nothing was changed");
    expect(await third.ended()).toBe(1);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});
