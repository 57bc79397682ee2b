import { z } from "zod";
import { findHanTime } from "../../../core/schedule/read-han-time.ts";
import { readCount } from "../../../core/schedule/read-count.ts";
import { call, say } from "../rule.ts";
import type { Clause, Rule, Wish } from "../rule.ts";

const listOutput = z.object({ reminders: z.array(z.object({ id: z.string(), text: z.string() })) });
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
    return call("list_reminders", {}, ([report]) => {
      const read = report?.result.ok === true ? listOutput.safeParse(report.result.output) : undefined;
      if (read?.success !== true) return undefined;
      const { reminders } = read.data;
      const one = reminders[(readCount(which) ?? 0) - 1];
      if (one === undefined) return say(reminders.length === 0 ? "remindersNone" : "reminderNoSuch", { which });
      return call("cancel_reminder", { id: one.id });
    });
  },
};

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
    /提醒我|提醒一下我|叫醒我|定个?闹钟|设个?闹钟|(?:分钟|小时|秒钟?|点|明早|明天|早上|晚上|待会儿?|之?后).{0,8}叫我|\bremind me\b|\bset (?:a |an )?(?:alarm|reminder|timer)|\bwake me\b|リマインド|思い出させて|起こして|アラーム|タイマー|(?:後|時|分)に(?:教え|知らせ)て/,
  ],
  // The tool reads the time out of the words, and takes the rest for the text.
  read: ({ clause }) => call("remind", { at: wordsOf(clause).slice(0, 300) }),
};

/** From the clause on where it names a time, else all of it: 「下周二有面试，到时候提醒我」. */
function wordsOf({ at, request }: Clause): string {
  const own = request.original(at).trim();
  return findHanTime(own) === undefined
    ? request
        .original(0)
        .replace(/^\S{1,12}[:：]\s/, "")
        .trim()
    : own;
}

export const reminderRules: readonly Rule[] = [cancel, show, set];
