import type { InboundMessage } from "../../channels/types.ts";
import { isNamed, mentionsAnother } from "./is-named.ts";

/** Whether a message of a group is for her, if she hears all of it. In doubt she stays silent. */
export function shouldAnswer(
  message: Pick<InboundMessage, "addressed" | "forwarded" | "quote" | "text" | "viaBot">,
  situation: {
    /** The names that people call her by. */
    readonly names: readonly string[];
    /** The same person spoke with her just now, without another speaker since. */
    readonly goesOn: boolean;
  },
): boolean {
  const { addressed, forwarded, quote, text, viaBot } = message;
  if (addressed) return true;
  // Forwarded words address no member here, and an unknown command is another bot's.
  if (forwarded || viaBot || /^\s{0,20}\//.test(text)) return false;
  const { goesOn, names } = situation;
  if ((quote !== undefined && !quote.fromUs) || mentionsAnother(text, names)) return false;
  return goesOn || isNamed(text, names) || asksEverybody(text);
}

const closing = /[\s~～。.!！"”’」』)）\p{Extended_Pictographic}\u{FE0F}]+$/u;
const interrogative = /谁|什么|哪|怎|几|多少|为何|啥|何时|咋/u;
const everybody =
  /大家|各位|有人|有谁|有没有人|谁|你们|群里|\b(?:anyone|anybody|everyone|everybody|someone|somebody|who)\b|y'all|誰|どなた|みんな|皆さん/iu;
/** Addresses one person: the other one in a conversation of two. */
const oneOfThem = /[你您]|\b(?:you|your|u)\b|あなた|お前|君は/iu;

/** 「有人知道几点开会吗」. The other half of a talk between two is a question as well: 「你吃了吗」 「几点？」 */
function asksEverybody(text: string): boolean {
  const end = text.slice(-1_000).normalize("NFKC").trimEnd();
  const bare = end.slice(-200).replace(closing, "");
  const asks =
    bare.endsWith("?") ||
    bare.endsWith("吗") ||
    (bare.endsWith("呢") && (interrogative.test(bare) || !/[在正还着可才]/u.test(bare))) ||
    /(?:です|ます|でした|ました|でしょう|ません)か$|かな$/u.test(bare);
  if (!asks) return false;
  const sentence = (bare.match(/[^。.!?\n]+[?]*$/u)?.[0] ?? bare).trim();
  if (everybody.test(sentence)) return true;
  if (oneOfThem.test(sentence)) return false;
  const signs = sentence.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0;
  const words = sentence.match(/[a-z']+/giu)?.length ?? 0;
  return signs >= 4 || words >= 3;
}
