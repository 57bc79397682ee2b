import { readBareWords } from "./approval-words.ts";

/** A message that is nothing but agreement in words that approve nothing. */
export interface NearYes {
  readonly code?: string;
}

/** Everyday words of agreement; none of these may ever approve. In their bare form (approval-words.ts). */
const nearly: ReadonlySet<string> = new Set(
  (
    "好|好的|好吧|好啊|好呀|好哒|好嘞|好滴|行|行吧|行啊|可以|可以的|可以啊|嗯|嗯嗯|嗯好|嗯好的|好好|那好|那行|恩|嗯呐|对|对的|是|是的|同意|没问题|當然|当然|准了|批准|通过|允许|" +
    "确认一下|确认吧|确认了|我确认|确认啊|确定|确定吧|執行|执行|执行吧|运行|运行吧|跑吧|跑|做吧|来吧|弄吧|去吧|搞|开始|开始吧|" +
    "ok|okay|okey|okok|k|kk|sure|y|ya|yea|yeah|yep|yup|ye|fine|alright|all right|go|go ahead|do it|run it|run|please|please do|yes please|" +
    "sounds good|sounds fine|of course|agreed|accept|allow|" +
    "はい|うん|ええ|いいよ|いい|いいです|いいですよ|いいね|お願い|お願いします|おねがい|おねがいします|どうぞ|やって|やってください|実行|実行して|了解|了解です|" +
    "オッケー|オーケー|おk|そうして|確認しました|👍|👌|🆗|✅"
  ).split("|"),
);
const coded = /^(\P{ASCII}+ ?|[a-z ]+ )#?([a-z]{1,3}[2-9])$/u;

/** Reads a message as nearly a confirmation; undefined = something else, a real answer too. Never decides anything. */
export function readNearYes(message: string): NearYes | undefined {
  const bare = readBareWords(message)?.replace(/\p{Emoji_Modifier}|\uFE0F/gu, "");
  if (bare === undefined) return undefined;
  if (nearly.has(bare)) return {};
  const [, word = "", code = ""] = coded.exec(bare) ?? [];
  return nearly.has(word.trimEnd()) ? { code: code.toUpperCase() } : undefined;
}
