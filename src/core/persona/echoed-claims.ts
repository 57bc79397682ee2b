/**
 * A request and its answer in the same verb: 「把 a.txt 删了」, 「删了。」; "delete it", "Deleted."; 「消して」, 「消したわ」. Where
 * no tool has done it, such an answer is a claim. Verbs for which words are enough (write, translate, shorten) are none of these.
 */

const chineseVerbs =
  "删除 删掉 删 清空 发送 发 寄 转发 保存 存 安装 装 卸载 重启 关掉 关 打开 下载 上传 备份 提交 推送 推 合并 部署 取消 退订 预订 预约 订 下单 付 打印 导出 移动 移 重命名 归档 拉黑 屏蔽 静音 锁 解锁 通知 设 定".split(
    " ",
  );
/** It asks what is so, or tells what the person did. */
const chineseNoRequest = /[吗么?]|了没|没有|是不是|怎么|为什么|什么|哪|谁|我(?:已|刚|今天|昨天)?[^,。!]{0,12}了/u;
const chineseRequest = /(?:帮|替|给|请|麻烦|把|将|快|都|全|再|先|^|[,。!;\s])$/u;
/** Around the verb nothing else may stand than who it is for and how it went. */
const chineseBefore = /^(?:好|行|嗯)?我?(?:都|全部|全)?(?:已经|已|刚刚|刚)?(?:[给帮替]你)?(?:把[^把]{1,16})?$/u;
const chineseAfter = /^(?:掉|好|完|除|空|出去|过去|上去|进去|给.{1,8}|到.{1,8})?了[。!~]?$/u;
const chineseFault = /失败|报错|出错|拒|断|卡|满|[没不]/u;

const englishVerbs: Readonly<Record<string, string>> = Object.fromEntries(
  "delete:deleted remove:removed erase:erased send:sent email:emailed forward:forwarded post:posted save:saved install:installed uninstall:uninstalled restart:restarted reboot:rebooted download:downloaded upload:uploaded commit:committed push:pushed merge:merged deploy:deployed cancel:cancelled book:booked reserve:reserved order:ordered buy:bought pay:paid schedule:scheduled archive:archived rename:renamed move:moved mute:muted block:blocked lock:locked unlock:unlocked empty:emptied print:printed turn:turned set:set"
    .split(" ")
    .map((pair) => pair.split(":")),
);
const englishRequest =
  /(?:^|[,.!;:]\s*|\b(?:please|and|then|just|can you|could you|would you|will you)\s+)([a-z]+)\s+(?:the|a|an|my|our|your|all|every|this|that|these|those|it|them|him|her|[\w-]*[./][\w./-]+)\b/gu;
const englishQuestion = /\b(?:did|have|has|was|were|how|why|what|which|who)\b/u;
const englishClaim =
  /^(?:(?:done|ok|okay|right|fine|there|all right|alright|all|and|yes)[,.:!]*\s+)*(?:i(?:'ve| have)?\s+|(?:it's|that's|they're|it is)\s+)?(?:just\s+|already\s+|now\s+|all\s+)*([a-z]+)\b(?!\s+(?:by|files|for good))/u;
const englishFault = /\b(?:fail|failed|not|never|no|if|once|when|until|yesterday|ago|before|can't|out of)\b|n't\b|\?/u;

const japaneseVerbs =
  "消し 削除し 送っ 送信し 転送し 保存し 予約し 取っ 登録し 設定し セットし 再起動し 止め 切っ つけ 入れ アップロードし ダウンロードし バックアップし キャンセルし 注文し 買っ 払っ コミットし マージし デプロイし インストールし アップデートし 印刷し 共有し ブロックし ミュートし 連絡し 伝え 知らせ 閉め 開け かけ".split(
    " ",
  );
const japaneseEnd = /^(?:た|といた|ておいた|ておきました|ました|たところ)(?:わ|よ|わよ|から|の|ぞ|わね)?[。!]?$/u;
const japaneseFault = /ない|なかった|失敗|満席|断られ|前に|昨日|[?か]$/u;

/** A claim is short. */
const maxCharacters = 80;

/** Whether a clause says that what `last` asks for is done, in the verb of the request. Both as `toPlainText` makes them. */
export function echoesRequest(clause: string, last: string): boolean {
  if (clause.length > maxCharacters || last === "") return false;
  return echoesChinese(clause, last) || echoesEnglish(clause, last) || echoesJapanese(clause, last);
}

function echoesChinese(clause: string, asked: string): boolean {
  if (chineseNoRequest.test(asked)) return false;
  const [part = ""] = clause.split(/[,、]/u);
  if (chineseFault.test(part)) return false;
  return chineseVerbs.some((verb) => {
    const at = part.indexOf(verb);
    const isClaim = at >= 0 && chineseBefore.test(part.slice(0, at)) && chineseAfter.test(part.slice(at + verb.length));
    const before = asked.slice(0, Math.max(0, asked.indexOf(verb)));
    return isClaim && asked.includes(verb) && (chineseRequest.test(before) || /[把帮请]/u.test(before.slice(-24)));
  });
}

function echoesEnglish(clause: string, asked: string): boolean {
  const done = englishClaim.exec(clause)?.[1];
  if (done === undefined || englishFault.test(clause) || englishQuestion.test(asked)) return false;
  return [...asked.matchAll(englishRequest)].some(([, verb = ""]) => {
    const participle = Object.hasOwn(englishVerbs, verb) ? englishVerbs[verb] : undefined;
    return participle === done || (verb === "cancel" && done === "canceled");
  });
}

function echoesJapanese(clause: string, asked: string): boolean {
  if (japaneseFault.test(clause)) return false;
  return japaneseVerbs.some((verb) => {
    const at = clause.lastIndexOf(verb);
    return at >= 0 && japaneseEnd.test(clause.slice(at + verb.length)) && asked.includes(`${verb}て`);
  });
}
