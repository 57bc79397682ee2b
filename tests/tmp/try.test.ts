import { test, expect } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { enter, openTerminal } from "../support/kurisu-process/terminal.ts";
import { writeFileSync } from "node:fs";
import { lastWords, startScriptedModel } from "../support/kurisu-process/scripted-model.ts";

test("try", async () => {
  const folder = createKurisuFolder();
  const { environment } = await startScriptedModel((request) => {
    const said = lastWords(request);
    if (said.includes("表")) return { content: "# 结果\n看**重点**：\n| 名字 | 数量 | 说明 |\n|---|---|---|\n| 苹果 | 3 | 红的 |\n| banana | 12 | yellow |\n\n- 第一条很长很长很长很长很长很长很长很长很长很长很长很长很长很长很长很长很长很长很长，很长。\n- two `code` words and so on\n\n```python\nprint('hi')\n```\n就这样。" };
    if (said.includes("换成")) return { content: "换了世界线。" };
    return undefined;
  });
  const t = openTerminal(["chat"], { folder, environment });
  const wait = async (text: string, n = 2) => { await expect.poll(() => t.seen().split(text).length, { timeout: 30000 }).toBeGreaterThanOrEqual(n); };
  await wait("你> ");
  for (const line of ["画个表", "第二句", "/worldline", "/dmail 1 换成别的", "运行 echo one", "/tools", "/help"]) {
    const before = t.seen().split("你> ").length;
    t.type(line + enter);
    await expect.poll(() => t.seen().split("你> ").length, { timeout: 30000 }).toBeGreaterThan(before);
    await new Promise((r) => setTimeout(r, 3000));
  }
  writeFileSync("/var/tmp/term/out.txt", t.raw());
  t.type("/exit" + enter);
  await t.ended();
}, 120000);
