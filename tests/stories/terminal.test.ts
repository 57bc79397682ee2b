import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import {
  callTools,
  lastWords,
  startScriptedModel,
  type ModelScript,
} from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { altEnter, enter, openTerminal, type Terminal } from "../support/kurisu-process/terminal.ts";
import { terminalIsThere } from "../support/announce-terminal.ts";

const patience = { interval: 20 };
const code = "看这个：\n```python\nprint('hi')\n```\n就这样。";
const long = Array.from({ length: 150 }, (_, index) => `第 ${index} 行。`).join("\n");
const report = [
  "# Result",
  "The **important** part of this rather long sentence comes at its very end, behind the edge.",
  "",
  "| name | 数量 |",
  "|---|--:|",
  "| 苹果 | 3 |",
  "| pears | 12 |",
  "",
  "- first",
  "```python",
  "print(1)",
  "```",
  "done.",
].join("\n");

const script: ModelScript = (request) => {
  const said = lastWords(request);
  if (said === "代码") return { content: code };
  if (said === "report") return { content: report };
  if (said === "tell me about pears") return { content: "Another world line." };
  if (said === "write it" && request.messages.at(-1)?.role !== "tool")
    return callTools({ name: "file_write", arguments: { path: "notes.txt", content: "one\n" } });
  return said === "很长" ? { content: long } : undefined;
};

async function see(terminal: Terminal, text: string): Promise<void> {
  await expect.poll(() => terminal.seen(), patience).toContain(text);
}

describe.runIf(terminalIsThere())("a chat in a terminal", () => {
  test("takes a message of several lines, shows code without its fences, folds what is long, completes commands", async () => {
    const folder = createKurisuFolder();
    const { environment, requests } = await startScriptedModel(script);
    const terminal = openTerminal(["chat"], { folder, environment });
    await see(terminal, "你> ");
    terminal.type(`一\\${enter}二${altEnter}三${enter}`);
    await see(terminal, "嗯，我在听。");
    expect(lastWords(requests.at(-1) ?? { model: "", messages: [] })).toBe("一\n二\n三");

    terminal.type(`代码${enter}`);
    await see(terminal, "就这样。");
    expect(terminal.seen()).toContain("    print('hi')");
    expect(terminal.seen()).not.toContain("```");

    terminal.type(`很长${enter}`);
    await see(terminal, "… 还有 30 行，全文在 ");
    expect(terminal.seen()).toContain("第 119 行。");
    expect(terminal.seen()).not.toContain("第 120 行。");
    const [name = ""] = readdirSync(join(folder.home, "folded"));
    expect(readFileSync(join(folder.home, "folded", name), "utf8")).toBe(`${long}\n`);

    terminal.type("/worldl\t");
    await see(terminal, "/worldline ");
    terminal.type("\u0003/exit");
    terminal.type(enter);
    expect(await terminal.ended()).toBe(0);
  });

  test("keeps what was typed for the next time, without answers and secrets, and for its owner only", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel(script);
    const first = openTerminal(["chat"], { folder, environment });
    await see(first, "你> ");
    for (const line of [
      "确认",
      "第一句",
      "密码 sk-proj-abcdefghijklmnopqrstuvwxyz0123456789",
      " 悄悄话",
      "/pair 8QJ4-M2XT",
    ]) {
      const before = first.seen().split("你> ").length;
      first.type(`${line}${enter}`);
      await expect.poll(() => first.seen().split("你> ").length, patience).toBeGreaterThan(before);
    }
    first.type(`/exit${enter}`);
    expect(await first.ended()).toBe(0);
    const file = join(folder.home, "history", "owner.txt");
    expect(readFileSync(file, "utf8")).toBe("第一句\n/exit\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = openTerminal(["chat"], { folder, environment });
    await see(second, "你> ");
    second.type("\u001B[A\u001B[A");
    await see(second, "第一句");
  });

  test("a terminal that knows no control sequences gets none; piped, everything goes out as it is", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel(script);
    const terminal = openTerminal(["chat"], { folder, environment: { ...environment, TERM: "dumb" } });
    await see(terminal, "你> ");
    terminal.type(`代码${enter}`);
    await see(terminal, "就这样。");
    terminal.type(`现在几点${enter}`);
    await see(terminal, "▸ 看时间");
    terminal.type(`/exit${enter}`);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw()).not.toContain("\u001B");

    const piped = spawnKurisu(["chat"], { folder, environment, input: "代码\n很长\n" });
    expect((await piped.ended()).code).toBe(0);
    expect(piped.stdout()).toContain(code);
    expect(piped.stdout()).toContain(long);
    expect(piped.stdout()).not.toContain("\u001B");
  });
});

describe.runIf(terminalIsThere())("a terminal of 80 columns whose locale is C", () => {
  test("shows English, renders Markdown without cutting a word, and no answer twice after a D-Mail", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel(script);
    const terminal = openTerminal(["chat"], { folder, environment: { ...environment, LANG: "C" }, columns: 80 });
    await see(terminal, "you> ");
    terminal.type(`report${enter}`);
    await see(terminal, "done.");
    const shown = [
      "Result",
      "The important part of this rather long sentence comes at its very end, behind",
      "the edge.",
      "",
      "name   数量",
      "-----  ----",
      "苹果      3",
      "pears    12",
      "",
      "• first",
      "    python",
      "    print(1)",
      "done.",
    ];
    expect(terminal.seen()).toContain(shown.join("\n"));
    expect(terminal.raw()).toContain("\u001B[1mimportant\u001B[22m");
    expect(terminal.raw()).toContain("\u001B[2mpython\u001B[22m");

    terminal.type(`/dmail 0 tell me about pears${enter}`);
    await see(terminal, "Another world line.\n");
    terminal.type(`write it${enter}`);
    await see(terminal, "confirm / cancel [cancel]> ");
    expect(terminal.seen().split("Another world line.")).toHaveLength(2);
    expect(terminal.seen().split("confirm / cancel [cancel]> ")[0]).not.toMatch(/▸ \S+\s+notes\.txt/);
    terminal.type(`cancel${enter}exit${enter}`);
    expect(await terminal.ended()).toBe(0);
  });
});

describe.runIf(terminalIsThere() && dockerIsThere())("beside other clients", () => {
  test("the answer to a script does not appear in the open terminal; its question does, and says who decided it", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel(script);
    const kurisu = await startKurisu({ folder, environment });
    const terminal = openTerminal(["chat"], { folder, environment });
    await see(terminal, "你> ");
    expect(await runOnce("在吗", { folder, environment })).toMatchObject({ code: 0, reply: "嗯，我在听。" });
    expect((await runOnce("运行 echo one >> effect.txt", { folder, environment })).code).toBe(3);
    await see(terminal, "echo one >> effect.txt");
    expect(terminal.seen()).not.toContain("嗯，我在听。");
    terminal.type(`确认${enter}`);
    await see(terminal, "好了，我看过结果了。");
    expect(terminal.seen()).toMatch(/✓ 已确认 · shell echo one >> effect\.txt · 你 · \d\d:\d\d/);
    expect(folder.workspaceLines("effect.txt")).toEqual(["one"]);
    expect((await kurisu.stop()).code).toBe(0);
  });
});
