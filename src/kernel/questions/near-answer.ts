import { readAnswerWords, readBareWords } from "./approval-words.ts";

/** A message that only agrees or only refuses, in words that decide nothing. */
export interface NearAnswer {
  readonly kind: "yes" | "no";
  readonly code?: string;
}

type Sense = NearAnswer["kind"] | "neither";

const list = (words: string): readonly string[] => words.split("|");

/** Everyday words of agreement, in their bare form (approval-words.ts). None of them may ever approve. */
const agreeing = list(
  "好|好的|好吧|好啊|好呀|好哒|好嘞|好滴|行|行吧|行啊|可以|可以的|可以啊|嗯|嗯嗯|嗯好|嗯好的|好好|那好|那行|恩|嗯呐|对|对的|是|是的|同意|没问题|當然|当然|准了|批准|通过|允许|" +
    "确认一下|确认吧|确认了|我确认|确认啊|确定|确定吧|執行|执行|执行吧|运行|运行吧|跑吧|跑|跑起来|干吧|动手吧|做吧|来吧|弄吧|去吧|搞|开始|开始吧|" +
    "ok|okay|okey|okok|k|kk|sure|y|ya|yea|yeah|yep|yup|ye|fine|alright|all right|go|go ahead|go for it|do it|just do it|do that|run it|run that|run|please|please do|yes please|" +
    "sounds good|sounds fine|of course|agreed|accept|allow|" +
    "はい|うん|ええ|いいよ|いい|いいです|いいですよ|いいね|お願い|お願いします|おねがい|おねがいします|どうぞ|やって|やってください|実行|実行して|了解|了解です|" +
    "オッケー|オーケー|おk|そうして|確認しました|👍|👌|🆗|✅",
);

/** Everyday words of refusal. None of them may ever cancel. */
const refusing = list(
  "别跑|別跑|别跑了|先别跑|不要跑|不跑|不跑了|别做|别做了|不做了|别动|别弄|别弄了|别搞|先别动|先别做|先别执行|先不执行|别执行了|不要执行了|不执行了|不用|不用了|不需要|不需要了|" +
    "不要了|不了|别了|不行不行|不要不要|等等|等一下|等下|等会|等会儿|等一会儿|等一等|稍等|稍等一下|先等等|先等一下|慢着|且慢|别急|停下|停下来|打住|暂停|" +
    "都取消|全取消|全部取消|取消全部|取消所有|都不要|都不要了|全都不要|取消吧|取消掉|取消了|取消它|撤回|撤销|撤了|拒绝吧|算了吧|还是算了|不干了|" +
    "cancel all|cancel it|cancel that|cancel this|cancel them|cancel them all|cancel all of them|cancel everything|cancel please|please cancel|deny all|reject all|" +
    "don't run|don't run it|don't run that|do not run|do not run it|don't do it|don't do that|do not do it|don't execute|no way|nah|nay|no thanks|no thank you|" +
    "never mind|nevermind|forget it|forget about it|stop it|stop that|stop this|wait|wait a moment|wait a minute|wait a sec|hold on|hold it|hold|not yet|not so fast|skip it|skip|undo|" +
    "やめとく|やめて下さい|やめてください|やめときます|待って|ちょっと待って|待ってください|まって|ストップ|実行しないで|しないで|しなくていい|結構です|全部キャンセル|キャンセルして",
);

const courteous = list(
  "谢谢|谢啦|多谢|谢谢你|thanks|thank you|thx|please|请|拜托|拜托了|麻烦了|kurisu|红莉栖|ありがとう",
);

const senses: ReadonlyMap<string, Sense> = new Map<string, Sense>([
  ...courteous.map((word) => [word, "neither"] as const),
  ...agreeing.map((word) => [word, "yes"] as const),
  ...refusing.map((word) => [word, "no"] as const),
]);

const coded = /^(\P{ASCII}+ ?|[a-z' ]+ )#?([a-z]{1,3}[2-9])$/u;
const parting = /[,、.。!;~]/u;

/**
 * Reads a message as nearly an answer. Returns undefined for anything else, including real answers. Never decides
 * anything.
 */
export function readNearAnswer(message: string): NearAnswer | undefined {
  const bare = readBareWords(message)?.replace(/\p{Emoji_Modifier}|\uFE0F/gu, "");
  if (bare === undefined || readAnswerWords(message) !== undefined) return undefined;
  const whole = readSense(bare);
  if (whole !== undefined) return { kind: whole };
  const [, words = "", code = ""] = coded.exec(bare) ?? [];
  const kind = readSense(words.trimEnd());
  return kind && { kind, code: code.toUpperCase() };
}

/** 「嗯，执行吧」 has two parts. If one of them refuses, the message refuses. */
function readSense(bare: string): NearAnswer["kind"] | undefined {
  const parts = bare.split(parting).map((part) => part.trim());
  const found = parts.filter((part) => part !== "").flatMap(listSenses);
  if (found.includes(undefined)) return undefined;
  return found.includes("no") ? "no" : found.includes("yes") ? "yes" : undefined;
}

function listSenses(part: string): readonly (Sense | undefined)[] {
  const whole = findSense(part);
  const space = part.indexOf(" ");
  if (whole !== undefined || space < 0) return [whole];
  const words = part.split(" ").map(findSense);
  // "ok do it" is a word followed by a phrase.
  return words.includes(undefined) ? [findSense(part.slice(0, space)), findSense(part.slice(space + 1))] : words;
}

function findSense(words: string): Sense | undefined {
  const answer = senses.has(words) ? undefined : readAnswerWords(words);
  if (answer === undefined || answer.code !== undefined) return senses.get(words);
  if (answer.kind === "reject") return "no";
  return answer.kind === "approve" && !("numbers" in answer) && !("grant" in answer) ? "yes" : undefined;
}
