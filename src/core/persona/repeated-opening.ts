/** Words that open a reply without saying anything yet, in small letters. Models get stuck on one of them. */
const interjections: ReadonlySet<string> = new Set(
  [
    "哼 啊 呃 哈 诶 欸 喂 唔 切 啧 哎 唉 哦 噢 嘛 哎呀 真是的 说真的 听着 我说 你啊 所以说 那个",
    "hmph hm hmm look listen well ugh oh ah honestly seriously so sigh tch heh hey really",
    "ふん はぁ はあ へえ まったく もう あのね あの えっと まあ ほら ええと やれやれ",
  ].flatMap((line) => line.split(" ")),
);

/** The first word before a comma or the like, when more follows. A doubled first sound ("ふ、ふん") belongs to it. */
const opening = /^\s*(?:(.)[、，,…-]{1,3}(?=\1))?([\p{L}\p{M}ー]{1,10})[，、,…—~～]{1,6}\s*(?=[^\s，、,…—~～])/iu;

/** This many of the newest replies are looked at, and this many with the same opening are enough. */
export const lookedAtOpenings = 4;
const enough = 2;

/** The interjection that a reply opens with, in small letters; "" when there is none. */
export function findOpening(reply: string): string {
  const word = opening.exec(reply.slice(0, 40))?.[2]?.toLowerCase() ?? "";
  return interjections.has(word) ? word : "";
}

/** Whether a reply opens as her newest ones did. `openings` as `findOpening` told them. */
export function repeatsOpening(reply: string, openings: readonly string[]): boolean {
  const own = findOpening(reply);
  return own !== "" && openings.filter((one) => one === own).length >= enough;
}

/** Words that take a capital where they begin a sentence; a name that begins small ("npm", "iPhone") takes none. */
const starters =
  /^(?:it|that|the|this|these|those|you|your|i|my|we|he|she|they|there|what|if|when|why|how|no|not|a|an|do|don|is)\b/;

/** The reply without its interjection; what follows stays, but for a capital in front. */
export function withoutOpening(reply: string): string {
  if (findOpening(reply) === "") return reply;
  const rest = reply.slice(opening.exec(reply.slice(0, 40))?.[0].length);
  return starters.test(rest) ? rest.charAt(0).toUpperCase() + rest.slice(1) : rest;
}
