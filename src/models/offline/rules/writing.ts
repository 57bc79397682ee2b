import { hasSecondOrder } from "../find-second-order.ts";
import { call, say } from "../rule.ts";
import type { Found, Rule } from "../rule.ts";

const content = String.raw`(?<content>[\s\S]+)`;
/** So many characters before the verb, marks included, are the content at most. */
const before = String.raw`(?<content>Q|[^，。\n]{1,300}?)`;

const edit: Rule = {
  kind: "act",
  forms: [
    /(?:[把将將在]\s*)?F\s*(?:文件)?(?:里面|里边|里|中|内)?的?\s*(?<all>所有|全部|每一?个)?的?\s*[把将]?(?:所有|全部)?的?\s*(?<old>Q|[^，。\n]{1,200}?)\s*(?<every>都|全部|全)?\s*(?:改成|改为|改作|换成|换为|替换成|替换为|变成)\s*(?<new>Q|[^\n，。]+)/,
    /[把将將]\s*(?<old>Q|[^，。\n]{1,200}?)\s*(?<every>都|全部|全)?\s*(?:改成|改为|换成|替换成|替换为)\s*(?<new>Q|[^\n，。]+)/,
    /^(?:in F,? ?)?(?:replace|change|substitute|swap)\s+(?<all>all|every|each)?\s*(?:the |occurrences? of )*(?<old>Q|.{1,200}?)\s+(?:with|to|by|for|into)\s+(?<new>Q|.+?)(?: (?:in|inside|within|everywhere in) (?:the file )?F.*)?$/,
    /F\s*(?:の中)?[のでに、]?\s*(?:ある|出てくる)?(?<all>全部の|すべての|全ての)?\s*(?<old>Q|[^、。\n]{1,200}?)\s*を\s*(?<every>全部|すべて)?\s*(?<new>Q|[^、。\n]{1,200}?)\s*[にへと]\s*(?:変え|置き?換え|置換|書き換え|直し|修正|変更)/,
  ],
  read(found) {
    const path = found.named("F");
    const [old, next] = [found.part("old"), found.part("new")].map((text) =>
      text.replace(/(?:吧|好吗|谢谢|please|for me)[。.!！？?\s]*$/i, "").trim(),
    );
    if (path === undefined || old === undefined || old === "" || next === undefined || next === "" || old === next)
      return undefined;
    if (/(?:名字?|文件名|名前)$/.test(old) || old === path) return undefined;
    // The whole file would be rewritten.
    if (old === "内容" || (old.startsWith(path) && old.endsWith("内容"))) return undefined;
    const all = found.part("all") !== "" || found.part("every") !== "";
    return call("file_edit", { path, old, new: next, ...(all && { all }) });
  },
};

const cut: Rule = {
  kind: "act",
  forms: [
    /F\s*(?:里面|里|中)的\s*(?<old>Q|[^，。\n]{1,200}?)\s*(?:删掉|删除|删了|去掉)/,
    /^(?:delete|remove)\s+(?<old>Q|.{1,200}?)\s+from\s+(?:the file )?F/,
    /F\s*(?:の中)?から\s*(?<old>Q|[^、。\n]{1,200}?)\s*を(?:消して|削除)/,
  ],
  read(found) {
    const [path, old] = [found.named("F"), found.part("old")];
    return path === undefined || old === "" ? undefined : call("file_edit", { path, old, new: "" });
  },
};

const append = String.raw`(?:再|多)?(?:追加|添加|附加|加|补|添|记)(?:上|入|进|个)?`;
const line = "(?:一?行|一?句话?|一?条|一?段|一笔)";

const form =
  "F|大写|小写|英文|中文|日文|只读|可执行|utf|gbk|markdown|pdf|html|json|(?:all )?(?:upper|lower)|read.?only|executable|english|chinese|japanese|(?:a|the|my|this|that|it)\\b";

const write: Rule = {
  kind: "act",
  forms: [
    // 把「…」写到 a.txt
    new RegExp(
      `[把将將]\\s*${before}\\s*(?:这句话|这段话|这段|几个字)?\\s*(?<verb>写到|写进|写入|寫到|寫進|寫入|存到|存进|存入|存为|存成|保存到|保存为|保存成|记到|记在|追加到|添加到|附加到|加到|加进)\\s*(?:文件|檔案)?\\s*F`,
    ),
    // 在 a.txt 末尾加一行 …
    new RegExp(
      `F\\s*(?:文件)?的?(?:里面|里|中|末尾|最后|结尾|后面)*(?:面)?\\s*(?<verb>${append}|写(?:上|入|下)?)\\s*(?<line>${line})?\\s*[:：，,]?\\s*${content}`,
    ),
    new RegExp(`(?<verb>记|写|加)(?:到|进|在)\\s*F\\s*(?:里面|里|中)?\\s*[:：，,]\\s*${content}`),
    // 新建一个 notes.txt，内容是 …
    new RegExp(
      `(?<verb>写|创建|新建|建立|建|弄|生成)(?:一个|个|一份)?(?:新的?)?(?:文件)?(?:叫做?|名为|名叫)?\\s*F\\s*(?:的文件|文件)?\\s*[，,。]?\\s*(?:内容|里面|写上|内容写)(?:是|为|写上?|就写|放)?\\s*[:：]?\\s*${content}`,
    ),
    // 把 a.txt 改成 再见; another name and another form are no content
    new RegExp(
      `[把将將]\\s*F\\s*(?:的?(?:全部|所有)?内容)?\\s*(?<verb>改成|改为|改作|换成|换为|替换成|替换为)(?=Q|[:：\\s])(?![:：\\s]*(?:${form}))\\s*[:：]?\\s*${content}`,
    ),
    new RegExp(
      `^(?<verb>change|set|replace|overwrite)\\s+(?:the )?(?:contents? of )?(?:the )?(?:file )?F\\s+(?:to|with)(?!\\s*(?:${form}))\\s+${content}`,
    ),
    // add the line … to a.txt
    new RegExp(
      `^(?<verb>append|add|write|save|put|note)\\s+(?<line>(?:a |the |another )?(?:new )?line:?\\s+)?(?<content>Q|.{1,300}?)\\s+(?:into|onto|to|as|in)\\s+(?:the |a |my )?(?:end of )?(?:the )?(?:new )?(?:file )?(?:called |named )?F`,
    ),
    new RegExp(`^(?<verb>append|add)\\s+(?:a |the )?(?:line )?to (?:the |my )?(?:file )?F\\s*[:：]\\s*${content}`),
    // create a file called a.txt with …
    new RegExp(
      `^(?<verb>write|create|make|new)\\s+(?:me )?(?:a |the )?(?:new )?(?:text )?(?:file )?(?:called |named )?F,?\\s+(?:with|containing|that says|saying)\\s*(?:the )?(?:contents?|text|words|line)?\\s*[:：]?\\s*${content}`,
    ),
    // 「…」を a.txt に書いて
    /(?<content>Q|[^、。\n]{1,300}?)\s*[をと]\s*F\s*[にへ]\s*(?<verb>書い|書き込|保存|追記|追加|足し|メモ)/,
    /F\s*[にへ]\s*(?<content>Q|[^、。\n]{1,300}?)\s*[をと]\s*(?<verb>書い|書き込|保存|追記|追加|足し|メモ)/,
    new RegExp(
      `F\\s*の?(?:最後|末尾)?[にへ]\\s*(?<line>一?行)?\\s*(?<verb>足し|追加|追記|書い)て?(?:して)?\\s*[:：、]\\s*${content}`,
    ),
    new RegExp(
      `F\\s*(?:という|って)?(?:名前の)?(?:ファイル)?を(?<verb>作|書)[^、。]{0,6}[、。]?\\s*(?:内容は|中身は)\\s*[:：]?\\s*${content}`,
    ),
  ],
  read(found) {
    const path = found.named("F");
    if (path === undefined || path.includes("*")) return undefined;
    const written = found.part("content").replace(/^[:：]\s*/, "");
    const isAppended =
      found.part("line") !== "" || /追加|添加|附加|加|补|添|记|追記|足し|append|add|メモ/i.test(found.part("verb"));
    if (written === "" || /^(?:了|的|在|着|过|什么|啥|怎么|吗|it|that)/.test(written)) return undefined;
    if (hasSecondOrder(firstLineOf(found), "files")) return say("oneAtATime");
    return call("file_write", { path, content: endLine(takeOffWish(written)), ...(isAppended && { mode: "append" }) });
  },
};

const empty: Rule = {
  kind: "act",
  forms: [
    /(?:新建|创建|建立|建)(?:一个|个|一份)?(?:新的?)?(?:空的?|空白的?)?(?:文件)?(?:叫做?|名为|名叫)?\s*F/,
    /^(?:create|make|touch|new)\s+(?:me )?(?:a |an |the )?(?:new )?(?:empty )?(?:text )?(?:file )?(?:called |named )?F/,
    /F\s*(?:という|って)?(?:名前の)?(?:空の?)?(?:ファイル)?を(?:作って|作成)/,
  ],
  read(found) {
    const path = found.named("F");
    return path === undefined || /[*]|\/$/.test(path) ? undefined : call("file_write", { path, content: "" });
  },
};

/** The place and the rest of its clause. Text on lines of its own is content, whatever it says. */
function firstLineOf({ clause, words }: Found): string {
  const end = Math.max(clause.length, clause.text.indexOf(words) + words.length);
  return clause.text.slice(0, end).split("\n", 1)[0] ?? "";
}

/** A text file ends its last line, so that the next one added is a line of its own. */
const endLine = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/** 「…をa.txtに書いて」 refers to what precedes it; only words of asking are removed. */
const takeOffWish = (text: string): string =>
  text.replace(/(?:，|,)?\s*(?:谢谢|拜托了?|please|thanks|お願い)[。.!！]?$/i, "").trim();

export const writingRules: readonly Rule[] = [edit, cut, write, empty];
