/** The product's name; a persona has its own as well. */
const alwaysHers = "kurisu";

/** Longer messages name her at their beginning or their end. */
const maxReadLength = 1_000;

const opener =
  /^(?:(?:hey|hi|hello|yo|ok|okay|dear|thanks|thank you|good (?:morning|night|evening))(?![a-z])|喂|嘿|嗨|你好|早安|早上好|晚安|谢谢|诶|欸|哎|ねえ|ねぇ|おい|やあ|あの|こんにちは|おはよう|ありがとう)[^\p{L}\p{N}]*/u;
const honorific = /^(?:-?(?:chan|san|sama)(?![a-z])|さん|ちゃん|くん|様|さま|酱|桑|同学|大人|小姐|老师)/u;
/** After her name: the sentence speaks of her. */
const ofHer =
  /^(?:[的和跟与们也席]|是(?!不是)|[がのはもをにと]|たち|って|['’]s|\s+(?:is|was|has|had|said|says|told|and|or|manager)\b)/u;
/** Before her name, without a mark between. */
const aboutHer =
  /(?:[了给和跟与是叫过的问找像被把对比说]|[はがのともをにで]|\b(?:ask|asked|with|about|to|by|from|of|and|or|is|was|for|told|tell|named|called|like|the|a|an|my|your|our|their|as)\s+)$/u;
const maxBeforeName = 6;

/** Her name as a call: at the start or end of a sentence, or between two marks. 「红莉栖的论文」 speaks of her instead. */
export function isNamed(text: string, names: readonly string[]): boolean {
  const read =
    text.length > 2 * maxReadLength ? `${text.slice(0, maxReadLength)}\n${text.slice(-maxReadLength)}` : text;
  const sentences = toPlain(read).split(/[。.!?\n…]+/u);
  const known = listNames(names);
  return sentences.some((sentence) => known.some((name) => callsIn(sentence, name)));
}

/** Whether @ addresses another member; @all does not count. */
export function mentionsAnother(text: string, names: readonly string[]): boolean {
  const known = listNames(names);
  for (const [, whom = ""] of toPlain(text).matchAll(/(?<![a-z0-9._%+-])@!?([^\s@,，。.!！?？:：、]{1,64})/gu)) {
    const isAll = /^(?:全体成员|所有人|大家|all|everyone|here|channel|みんな)/u.test(whom);
    if (!isAll && !known.some((name) => beginsWith(whom, name))) return true;
  }
  return false;
}

function callsIn(sentence: string, name: string): boolean {
  const start = sentence.replace(/^[^\p{L}\p{N}]+/u, "");
  const opened = start.replace(opener, "");
  if ([start, opened].some((words) => beginsWith(words, name) && !ofHer.test(cutHonorific(words, name)))) return true;
  return callsAtEnd(sentence, name) || callsBetween(sentence, name);
}

function callsAtEnd(sentence: string, name: string): boolean {
  const at = sentence.lastIndexOf(name);
  if (at < 0 || !isWhole(sentence, at, name)) return false;
  if (/[\p{L}\p{N}]/u.test(cutHonorific(sentence.slice(at), name))) return false;
  const before = sentence.slice(0, at);
  if (/[,，、:：;；~～—]\s*$/u.test(before) || !/[\p{L}\p{N}]/u.test(before)) return true;
  if (aboutHer.test(before)) return false;
  return /\s$/u.test(before) || (before.match(/[\p{L}\p{N}]/gu)?.length ?? 0) <= maxBeforeName;
}

function callsBetween(sentence: string, name: string): boolean {
  for (let at = sentence.indexOf(name); at >= 0; at = sentence.indexOf(name, at + name.length)) {
    const isAfterMark = /[,，、:：;；~～—]\s{0,4}$/u.test(sentence.slice(Math.max(0, at - 5), at));
    const rest = cutHonorific(sentence.slice(at, at + name.length + 12), name);
    if (isAfterMark && /^\s{0,4}[,，、:：;；~～—]/u.test(rest)) return true;
  }
  return false;
}

function beginsWith(words: string, name: string): boolean {
  return words.startsWith(name) && isWhole(words, 0, name);
}

/** クリス is no word in クリスマス, and art none in party. Between Chinese characters nothing parts words. */
function isWhole(words: string, at: number, name: string): boolean {
  const end = at + name.length;
  return !continues(words[at - 1], name[0]) && !continues(name.at(-1), words[end]);
}

function continues(left = "", right = ""): boolean {
  return [/[a-z0-9_]/u, /[\p{sc=Katakana}ー]/u].some((script) => script.test(left) && script.test(right));
}

function cutHonorific(words: string, name: string): string {
  return words.slice(name.length).replace(honorific, "");
}

function listNames(names: readonly string[]): readonly string[] {
  const own = names.map((name) => toPlain(name).trim()).filter((name) => name.length > 1);
  return [...new Set([...own, alwaysHers])];
}

function toPlain(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
