import { z } from "zod";
import { findHanTime } from "../../../language/time/read-han-time.ts";
import { readCount } from "../../../language/time/read-count.ts";
import { call, say } from "../rule.ts";
import { hasSecondOrder } from "../find-second-order.ts";
import type { Clause, Rule, Wish } from "../rule.ts";

const listOutput = z.object({ reminders: z.array(z.object({ id: z.string(), text: z.string(), when: z.string() })) });
const number = String.raw`(?<number>\d{1,3}|[一二两三四五六七八九十]{1,3})`;

const cancel: Rule = {
  kind: "act",
  forms: [
    new RegExp(`(?:取消|删掉|删除|去掉|关掉|关了)(?:第)?\\s*${number}\\s*(?:个|条|项)?(?:的)?提醒`),
    new RegExp(`(?:取消|删掉|删除|去掉|关掉|关了)提醒\\s*(?:第)?\\s*${number}`),
    new RegExp(`提醒\\s*${number}\\s*(?:取消|删掉|不要了)`),
    new RegExp(`\\b(?:cancel|delete|remove|drop) (?:the )?reminder (?:number |no\\. ?|#)?${number}\\b`),
    new RegExp(`リマインダー(?:の)?\\s*${number}\\s*(?:番)?(?:目)?を?(?:取り消|削除|消して|キャンセル)`),
    new RegExp(`${number}\\s*(?:番|つ|個)目?のリマインダーを?(?:取り消|削除|消して|キャンセル)`),
  ],
  read(found): Wish {
    const which = found.part("number");
    return withList((reminders) => {
      const one = reminders[(readCount(which) ?? 0) - 1];
      return one === undefined ? say("reminderNoSuch", { which }) : call("cancel_reminder", { id: one.id });
    });
  },
};

const cancelAll: Rule = {
  kind: "act",
  forms: [
    /(?:所有|全部)(?:的)?提醒(?:都|全部?)?(?:给我)?(?:取消|删|关|清)|(?:取消|删掉|删除|清空|清掉|关掉)(?:我的)?(?:所有|全部)(?:的)?提醒/,
    /\b(?:cancel|delete|clear|remove|drop) (?:all|every one of)(?: of)?(?: my| the)? reminders\b/,
    /リマインダーを?(?:全部|すべて)(?:取り消|削除|消して|キャンセル)|(?:全部|すべて)のリマインダーを?(?:取り消|削除|消して|キャンセル)/,
  ],
  read: () =>
    withList((reminders) => ({
      kind: "call",
      calls: reminders.map(({ id }) => ({ name: "cancel_reminder", arguments: { id } })),
    })),
};

/** By its words. 「别提醒我了」 forbids nothing that is asked for now: it is itself the order. */
const cancelNamed: Rule = {
  kind: "ask",
  forms: [
    /^(?:你)?(?:不用|别|不要|不必|不需要)(?:再)?提醒我?(?<what>.{0,40}?)(?:这件事|的事|那个)?了?[。！!~～]?$/,
    /^(?:把)?(?<what>.{0,40}?)的提醒(?:取消|删掉|关掉|去掉|不要了)了?[。！!]?$/,
    /^(?:取消|删掉|删除|去掉|关掉)(?<what>.{0,40}?)(?:那个|那条|这个)?(?:的)?提醒[吧了]?[。！!]?$/,
    /^取消(?<what>.{1,30}?)(?:那个|那条)[吧了]?[。！!]?$/,
    /^(?:please )?(?:don[’']?t|do not|stop) (?:remind(?:ing)? me)(?: any ?more)?(?: (?:to|of|about|that))?(?<what>.{0,60}?)(?: any ?more)?[.!]?$/,
    /^(?:please )?(?:cancel|delete|remove|drop) (?:the |my )?(?<what>.{1,40}?) (?:one|reminder)[.!]?$/,
    /^(?:please )?(?:cancel|delete|remove|drop) (?:the |my |that )?reminder (?:to|about|for|of|that says) (?<what>.{1,60}?)[.!]?$/,
    /^(?<what>.{0,30}?)(?:のリマインダー)?(?:は|を)?もう(?:リマインド|知らせ)(?:しなくて|なくて)いい/,
    /^(?<what>.{1,30}?)のリマインダーを?(?:取り消して|削除して|消して|キャンセル)/,
  ],
  read(found) {
    if (/如果|要是|假如|吗|[?？]|\bif\b|もし/.test(found.clause.request.text)) return undefined;
    const what = found
      .part("what")
      .replace(/^(?:to|of|about)\s/i, "")
      .toLowerCase();
    return withList((reminders) => {
      const fitting =
        what === ""
          ? []
          : reminders.filter(({ text }) => text.toLowerCase().includes(what) || what.includes(text.toLowerCase()));
      const [one, other] = fitting;
      if (one !== undefined && other === undefined) return call("cancel_reminder", { id: one.id });
      const list = reminders.map(({ text, when }, index) => `${index + 1}. ${when} ${text}`).slice(0, 20);
      return say("reminderWhich", { list: list.join("\n") });
    });
  },
};

type Listed = z.infer<typeof listOutput>["reminders"];

function withList(read: (reminders: Listed) => Wish): Wish {
  return call("list_reminders", {}, ([report]) => {
    const listed = report?.result.ok === true ? listOutput.safeParse(report.result.output) : undefined;
    if (listed?.success !== true) return undefined;
    const { reminders } = listed.data;
    return reminders.length === 0 ? say("remindersNone") : read(reminders);
  });
}

const show: Rule = {
  kind: "look",
  forms: [
    /(?:有|设了?|定了?|剩)(?:些)?(?:哪些|什么|啥|几个|多少)(?:个)?(?:没到的)?提醒|提醒(?:都)?(?:有|剩)(?:哪些|什么|啥|几个)|(?:列出|看看|看一下|显示|查看)(?:我)?(?:的|所有|全部)*提醒|^(?:我的)?提醒(?:列表|清单)?[?？。]?$/,
    /\b(?:what|which|list|show|see|any)\b.{0,20}\breminders\b|^my reminders\b/,
    /リマインダー.{0,6}(?:一覧|見せ|教え|何|ある|いくつ)|(?:何|どんな).{0,4}リマインダー/,
  ],
  read: () => call("list_reminders"),
};

const set: Rule = {
  kind: "act",
  forms: [
    /^毎(?:日|週|月|年|朝|晩)[^にを。]{0,20}に[^。]{0,30}[一-龠]$/,
    /提醒我|提醒一下我|叫醒我|定个?闹钟|设个?闹钟|(?:分钟|小时|秒钟?|点|明早|明天|早上|晚上|待会儿?|之后|(?<![以今往])后).{0,8}叫我|\bremind me\b|\bset (?:a |an )?(?:alarm|reminder|timer)|\bwake me\b|リマインド|思い出させて|起こして|アラーム|タイマー|(?:後|時|分)に(?:教え|知らせ)て/,
  ],
  // The tool reads the time out of the words, and takes the rest for the text.
  read: ({ clause }) =>
    hasSecondOrder(clause.text, "all") ? say("oneAtATime") : call("remind", { at: wordsOf(clause).slice(0, 300) }),
};

/** 「每天早上八点查一下天气发给我」 is for a model that is asked at that time. */
const task: Rule = {
  kind: "act",
  forms: [
    /^(?:每|天天|工作日).{0,30}(?:查|搜|发给|告诉|总结|整理|汇报|播报|运行|打开|推送)/,
    /^(?:every|each|daily)\b.{0,40}\b(?:check|look up|search|send|tell|summari[sz]e|run|open|report)\b/,
    /\b(?:check|look up|search|send|tell|summari[sz]e|run|open|report)\b.{0,60}\bevery (?:day|morning|evening|night|week|weekday|hour|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/,
    /^毎(?:日|週|月|朝|晩|時).{0,30}(?:調べて|検索して|まとめて|送って|実行して)/,
  ],
  read: ({ clause }) => (/提醒|remind|リマインド/.test(clause.request.text) ? undefined : say("noTasks")),
};

/** From the clause on where it names a time, else all of it: 「下周二有面试，到时候提醒我」. */
function wordsOf({ at, request }: Clause): string {
  const own = request.original(at).trim();
  // 「上午十点、下午四点提醒我」: what precedes may be a clock time, too.
  const isSecond = findHanTime(request.original(0, at))?.parts.clocks !== undefined;
  return isSecond || findHanTime(own) === undefined
    ? request
        .original(0)
        .replace(/^\S{1,12}[:：]\s/, "")
        .trim()
    : own;
}

export const reminderRules: readonly Rule[] = [cancel, cancelAll, cancelNamed, show, set, task];
