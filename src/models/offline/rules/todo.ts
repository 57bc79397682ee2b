import { z } from "zod";
import { readCount } from "../../../language/time/read-count.ts";
import { call, say, takeOffCourtesies } from "../rule.ts";
import type { Found, Rule, Wish } from "../rule.ts";

const listOutput = z.object({ list: z.array(z.object({ text: z.string(), status: z.string() })) });
type Items = z.infer<typeof listOutput>["list"];

const list = String.raw`(?:待办(?:事项|清单|列表)?|代办(?:事项|清单)?|任务(?:清单|列表)|to-?dos?(?: list)?|to do list|task list|tasks|やること(?:リスト)?|タスク(?:リスト)?)`;
const number = String.raw`(?<number>\d{1,3}|[一二两三四五六七八九十]{1,3}|first|second|third|fourth|fifth|last|最后一)`;

const add: Rule = {
  kind: "act",
  forms: [
    new RegExp(
      `${list}(?:里面|里|中|上)?(?:再|帮我|给我)?(?:加|添|新增|记|写)(?:上|进|入)?(?:一条|一个|一项|条|个)?[:：\\s，,]*(?<item>Q|.+)`,
    ),
    new RegExp(
      `[把将]\\s*(?<item>Q|.{1,200}?)\\s*(?:这件事|这个|这条)?(?:加到|加进|加入|放到|放进|记到|记进|列入|添加到|写进|写到)\\s*(?:我的)?${list}`,
    ),
    new RegExp(`(?:加|添加|新增|新建|记)(?:一条|一个|个|条)?${list}\\s*[:：，,]?\\s*(?<item>Q|.+)`),
    new RegExp(`^(?:add|put|write)\\s+(?<item>Q|.{1,200}?)\\s+(?:to|on|onto|in|into)\\s+(?:my |the )?${list}`),
    new RegExp(`^(?:new|add a?|add another|create a)\\s*(?:todo|to-do|task)[:\\s]+(?<item>Q|.+)`),
    new RegExp(`${list}に\\s*(?<item>Q|.{1,200}?)\\s*(?:を|って)?\\s*(?:追加|入れ|足し|加え|書い)`),
    new RegExp(`(?<item>Q|.{1,200}?)\\s*を\\s*${list}に\\s*(?:追加|入れ|足し|加え)`),
    /(?:タスク|やること)(?:を)?追加[:：]\s*(?<item>.+)/,
  ],
  read(found) {
    const text = takeOffCourtesies(found.part("item")).slice(0, 500);
    if (text === "" || /^(?:什么|啥|了|哪)/.test(text)) return undefined;
    return change((items) => ({
      items: [...items, { text, status: "pending" }],
      words: say("todoAdded", { text, count: items.length + 1 }),
    }));
  },
};

const done: Rule = {
  kind: "act",
  forms: [
    new RegExp(
      `第?\\s*${number}\\s*(?:条|个|项|件)(?:待办|任务|事)?(?:已经|都)?(?:完成|做完|搞定|弄完|好了|办完|打勾|划掉)`,
    ),
    new RegExp(`(?:完成|做完|搞定|勾掉|划掉)了?第?\\s*${number}\\s*(?:条|个|项|件)`),
    /(?<item>Q|[^，。]{1,80}?)(?:那条|那个|这条|这个|那项|那件)(?:待办|任务|事)?(?:已经)?(?:完成|做完|搞定|弄完|办完|好了)/,
    new RegExp(
      `^(?:mark|check off|tick off|tick|complete|finish|finished|done with|i(?:'ve)? (?:did|done|finished)(?: with)?)\\s+(?:off )?(?:the |item |number |todo |task |no\\. ?)*${number}(?: one| item| todo| task)?(?:\\b)`,
    ),
    /^(?:mark|check off|tick off|complete)\s+(?<item>Q|.{1,100}?)\s+(?:as )?(?:done|complete|finished|off)/,
    new RegExp(`${number}\\s*(?:番目|つ目|個目)(?:のタスク)?(?:は|が|を)?(?:もう)?(?:終わ|完了|やった|できた|済)`),
  ],
  read: (found) =>
    onItem(found, (items, at) => ({
      items: items.map((item, index) => (index === at ? { ...item, status: "done" } : item)),
      words: say("todoDone", {
        text: items[at]?.text ?? "",
        left: countOpen(items) - (items[at]?.status === "done" ? 0 : 1),
      }),
    })),
};

const drop: Rule = {
  kind: "act",
  forms: [
    new RegExp(
      `(?:删掉|删除|去掉|划去)第?\\s*${number}\\s*(?:条|个|项)|第\\s*${number}\\s*(?:条|个|项)(?:待办)?(?:删|去掉|不要了)`,
    ),
    new RegExp(
      `^(?:delete|remove|drop)\\s+(?:the |item |number )*${number}(?: one)?(?: item| todo| task)?(?: from (?:my |the )?${list})?$`,
    ),
    new RegExp(`${number}\\s*(?:番目|つ目)(?:のタスク)?を(?:消して|削除)`),
  ],
  read: (found) =>
    onItem(found, (items, at) => ({
      items: items.filter((_, index) => index !== at),
      words: say("todoDropped", { text: items[at]?.text ?? "" }),
    })),
};

const clear: Rule = {
  kind: "act",
  forms: [
    new RegExp(`(?:清空|清掉|清除)(?:所有|全部|我的)*的?(?:${list}|清单)|${list}(?:全部|都)?(?:清空|清掉)`),
    new RegExp(`^(?:clear|empty|wipe|delete)\\s+(?:all |my |the )*${list}`),
    new RegExp(`${list}を?(?:空に|クリア|全部消して|全部削除)`),
  ],
  read: () =>
    change((items) =>
      items.length === 0 ? undefined : { items: [], words: say("todoCleared", { count: items.length }) },
    ),
};

const show: Rule = {
  kind: "look",
  forms: [
    new RegExp(
      `(?:列|看|显示|有|打开|什么|哪些|show|list|see|what|check|my|read).{0,16}${list}|${list}.{0,10}(?:有|列|看|什么|哪些|还剩|给我|見|何|一覧|教え|ある|は$|は[?？])|^${list}[?？。]?$`,
    ),
    /还有(?:什么|哪些|啥)?(?:事)?(?:没做|没完成|要做|没弄)|今天要做什么|what(?:'s| is|s)? left to do|やり残し/,
  ],
  read: () => call("todo"),
};

/** The tool takes a whole list, so the one that is there is read first. */
function change(edit: (items: Items) => { readonly items: Items; readonly words: Wish } | undefined): Wish {
  return call("todo", {}, ([report]) => {
    const read = report?.result.ok === true ? listOutput.safeParse(report.result.output) : undefined;
    const changed = read?.success === true ? edit(read.data.list) : undefined;
    return (
      changed &&
      call("todo", { items: changed.items }, ([written]) => (written?.result.ok === true ? changed.words : undefined))
    );
  });
}

function onItem(
  found: Found,
  edit: (items: Items, at: number) => { readonly items: Items; readonly words: Wish },
): Wish {
  const written = found.part("number").toLowerCase();
  const wanted = takeOffCourtesies(found.part("item")).toLowerCase();
  return call("todo", {}, ([report]) => {
    const read = report?.result.ok === true ? listOutput.safeParse(report.result.output) : undefined;
    if (read?.success !== true) return undefined;
    const items = read.data.list;
    const at =
      wanted === ""
        ? readPlace(written, items.length)
        : items.findIndex(({ text }) => text.toLowerCase().includes(wanted));
    if (items[at] === undefined)
      return say(items.length === 0 ? "todoEmpty" : "todoNoSuch", { which: wanted || written, count: items.length });
    const { items: next, words } = edit(items, at);
    return call("todo", { items: next }, ([result]) => (result?.result.ok === true ? words : undefined));
  });
}

const ordinals = ["first", "second", "third", "fourth", "fifth"];

function readPlace(written: string, length: number): number {
  if (written === "last" || written === "最后一") return length - 1;
  const named = ordinals.indexOf(written);
  return named >= 0 ? named : (readCount(written) ?? 0) - 1;
}

const countOpen = (items: Items): number => items.filter(({ status }) => status !== "done").length;

export const todoRules: readonly Rule[] = [add, done, drop, clear, show];
