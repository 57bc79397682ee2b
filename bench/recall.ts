import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionRules } from "../src/kernel/gate/permission.ts";
import { estimateTokens } from "../src/core/estimate-tokens.ts";
import { makeMessage } from "../tests/support/fake-channel.ts";
import { TestGateway } from "../tests/support/gateway.ts";
import type { ScriptedView } from "../tests/support/scripted-model.ts";
import { median } from "./statistics.ts";

/** Said around message 10, each asked for in other words than a copy of it. `answer` is in no other message. */
export const plantedFacts = [
  { said: "我妹妹小雨对花生过敏，千万别忘了。", asked: "小雨对什么过敏来着？", answer: "花生" },
  { said: "门锁的密码是 K7-4921。", asked: "门锁密码是多少？", answer: "K7-4921" },
  { said: "论文的截止日期是 2027-03-15。", asked: "论文什么时候截止？", answer: "2027-03-15" },
  { said: "服务器的备份放在 /srv/backup/nas02 里。", asked: "备份放在哪个目录？", answer: "/srv/backup/nas02" },
  { said: "旅行就定在金泽，不去札幌了。", asked: "我们决定去哪里旅行？", answer: "金泽" },
  { said: "房东姓欧阳，电话 138-0013-7788。", asked: "房东的电话是多少？", answer: "138-0013-7788" },
  { said: "我的 passport number 是 P8812047。", asked: "passport number 是多少来着？", answer: "P8812047" },
  { said: "猫的名字叫团子，三岁了。", asked: "我的猫叫什么名字？", answer: "团子" },
  { said: "我答应周五把显微镜还给桥田。", asked: "显微镜要还给谁？", answer: "桥田" },
  {
    said: "项目主页在 https://lab.example.org/steins 。",
    asked: "项目主页的地址？",
    answer: "https://lab.example.org/steins",
  },
] as const;

const distances = [50, 500, 5_000] as const;
const firstAt = 10;
/** The promise: this much of a prompt is as in the turn before, and no prompt has more tokens of conversation. */
const minStable = 0.8;
const rules: PermissionRules = { permissions: { safe: [], confirm: [], deny: [] }, rules: [], exclude: [] };

const subjects = [
  "天气",
  "早饭",
  "电车",
  "实验",
  "论坛",
  "咖啡",
  "键盘",
  "雨伞",
  "楼下",
  "电影",
  "晚霞",
  "稿子",
  "地铁",
  "泡面",
];
const doings = [
  "又坏了",
  "还不错",
  "有点慢",
  "让人想睡",
  "比昨天好",
  "没什么意思",
  "拖了很久",
  "忽然好了",
  "谁也没料到",
];

/** Talk about nothing, never twice the same. */
export function makeFiller(at: number): string {
  const pick = (list: readonly string[], by: number) => list[Math.floor(at / by) % list.length] ?? "";
  return `第 ${at} 条：${pick(subjects, 1)}${pick(doings, 3)}，${pick(subjects, 5)}${pick(doings, 7)}。`;
}

export const promptOf = ({ request }: Pick<ScriptedView, "request">): string =>
  [JSON.stringify(request.tools), ...request.messages.map((message) => message.text)].join("\n");

export const isSummary = (view: Pick<ScriptedView, "request">): boolean =>
  view.request.messages[0]?.text.startsWith("You write the record of a conversation") === true;

/** Writes down what it was told to keep, and loses one thing of it each `everyLoss` times. */
export function createSummaryWriter(everyLoss: number) {
  let asked = 0;
  return (view: Pick<ScriptedView, "request">): string => {
    asked += 1;
    const [, list = ""] = promptOf(view).split("It must hold all of these, letter for letter:\n");
    const lines = (list.split("\n\n")[0] ?? "").split("\n").map((line) => line.replace(/^\| /, ""));
    return `他们聊了：${(asked % everyLoss === 0 ? lines.slice(1) : lines).join("；")}`;
  };
}

/** The share of a prompt that begins as the one before did. */
export function measureStable(before: string, now: string): number {
  let same = 0;
  while (same < now.length && before.charCodeAt(same) === now.charCodeAt(same)) same += 1;
  return same / now.length;
}

/** Facts of message 10 asked for at 50, 500 and 5,000, of a model that knows only what it is sent. */
export async function measureRecall(options: readonly string[]): Promise<boolean> {
  const upTo = options.includes("--quick") ? 500 : 5_000;
  const home = mkdtempSync(join(tmpdir(), "kurisu-bench-"));
  const kurisu = new TestGateway({ place: { home }, limits: { messages: { owner: 10_000, all: 100_000 } } });
  kurisu.rules.current = rules;
  await kurisu.start();
  const write = createSummaryWriter(5);
  const stable: number[] = [];
  const tokens: number[] = [];
  let before = "";
  let said = 0;
  let found = new Set<string>();
  kurisu.model.script = (view) => {
    if (isSummary(view)) return { text: write(view) };
    const prompt = promptOf(view);
    if (before !== "") stable.push(measureStable(before, prompt));
    tokens.push(estimateTokens(prompt));
    before = prompt;
    found = new Set(plantedFacts.filter(({ answer }) => prompt.includes(answer)).map(({ answer }) => answer));
    // It repeats nothing: each fact is said once.
    return { text: `嗯，第 ${said} 条听到了，你接着说，我一边看数据一边听。` };
  };
  const say = async (text: string) => {
    kurisu.clock.advance(20_000);
    await kurisu.channel.deliver(makeMessage(text, { chat: "talk" }));
    await kurisu.settle();
    // Only the numbers of a prompt are kept.
    kurisu.model.asked.length = 0;
    said += 2;
  };
  const rows: string[] = [];
  let isKept = true;
  for (const distance of distances.filter((one) => one <= upTo)) {
    while (said < distance) {
      const planted = said >= firstAt ? plantedFacts[(said - firstAt) / 2] : undefined;
      await say(planted?.said ?? makeFiller(said));
    }
    let recalled = 0;
    const missed: string[] = [];
    for (const { asked, answer } of plantedFacts) {
      await say(asked);
      if (found.has(answer)) recalled += 1;
      else missed.push(asked);
    }
    const summaries = await kurisu.store.main.selectFrom("summaries").select(["model", "refused"]).execute();
    const refused = summaries.reduce((sum, one) => sum + one.refused, 0);
    const extracts = summaries.filter(({ model }) => model === null).length;
    const below = stable.filter((share) => share < minStable).length;
    rows.push(
      `| ${distance} | ${recalled} of ${plantedFacts.length} | ${Math.max(...tokens)} | ${percent(median(stable))} | ${percent(Math.min(...stable))} | ${below} of ${stable.length} | ${summaries.length} | ${refused} | ${extracts} |`,
    );
    if (missed.length > 0) console.log(`missed at ${distance}: ${missed.join(" ")}`);
    isKept &&= recalled === plantedFacts.length && median(stable) >= minStable;
    for (const { answer } of plantedFacts) await assertSaidOnce(kurisu, answer);
  }
  console.log(
    "| at message | recalled | prompt tokens, most | stable beginning, median | least | below 80 % | summaries | refused | extracts |",
  );
  console.log(`|---|---|---|---|---|---|---|---|---|\n${rows.join("\n")}`);
  await kurisu.dispose();
  rmSync(home, { recursive: true, force: true });
  return isKept;
}

/** A fact that was said again would be found again for that reason. */
async function assertSaidOnce(kurisu: TestGateway, answer: string): Promise<void> {
  const again = await kurisu.store.main
    .selectFrom("messages")
    .select("position")
    .where("content", "like", `%${answer}%`)
    .execute();
  if (again.length > 1) throw new Error(`${answer} was said ${again.length} times`);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
