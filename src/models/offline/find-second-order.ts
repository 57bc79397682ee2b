/** Words that put a second order behind a first one. */
const joints: readonly RegExp[] = [
  /(?:[，,。；;、\n]\s?(?:然后|接着|再|并且?|同时|另外|还有|也)|顺便|(?:再|然后|接着)(?=请|帮我|给我|替我))(?:再|也|请|麻烦你?|帮我|给我|替我)*\s?/g,
  /\b(?:and|then|also)\s(?:(?:then|also|please|can you|could you|help me)\s)*/g,
];

/** Orders that begin at once and name a file. */
const ofFiles: readonly RegExp[] = [
  /^(?:写|新建|创建|建|读|查看?|看|打开|删|发|把|往|在|给)[^，。,;；\nF]{0,12}F/,
  /^(?:write|create|make|read|open|show|delete|remove|append|send)\b[^,;.\nF]{0,30}F/,
];
/** Behind the content of a file no further word is needed: 「写 a.txt 内容 1，写 b.txt 内容 2」. */
const afterContent =
  /[，,。；;、]\s?(?:请|帮我)?(?:(?:写|新建|创建|建|读|删)[^，。,;；\nF]{0,12}F|(?:write|create|read|delete)\s(?:a |the )?(?:file )?F)/;
/** Orders that begin at once and name none. */
const others: readonly RegExp[] = [
  /^(?:(?:告诉我|查|看|说|报)(?:一下|下|看)?)?(?:现在|当前)?几点(?:了|$|[。？?！!])/,
  /^(?:tell me (?:the (?:current )?time|what time it is)|what time is it|what(?:'s|s| is) the time)\b/,
  /^(?:运行|执行|跑)(?:一下|下)?\s?(?:[BQ]|[a-z])/,
  /^(?:run|execute)\s(?:[BQ]|(?:ls|pwd|git|df|du|ps|uname|whoami|npm|python3?|bash)\b)/,
];
const japanese =
  /(?:それから|その後|ついでに|そして)[^。\n]{0,20}(?:F[^。\n]{0,20}(?:書いて|読んで|消して|作って|削除して)|今何時)/;

/**
 * Whether the words of a first order contain a second one, which would be lost. `text` is a request with marks, so
 * nothing that is quoted counts; `which` = "files" only an order that names a file.
 */
export function hasSecondOrder(text: string, which: "all" | "files"): boolean {
  const orders = which === "files" ? ofFiles : [...ofFiles, ...others];
  const isFollowed = joints.some((joint) =>
    Array.from(text.matchAll(joint)).some(({ 0: words, index }) => {
      const behind = text.slice(index + words.length, index + words.length + 60);
      return orders.some((order) => order.test(behind));
    }),
  );
  return isFollowed || japanese.test(text) || (which === "files" && afterContent.test(text));
}
