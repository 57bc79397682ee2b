import { splitSentences } from "./split-sentences.ts";

/**
 * Finds names of people, animals and places, and things that a person cannot tolerate, as far as the surrounding words
 * introduce them: "妻子叫林晓", "my doctor is Miller", "犬のポチ". A Chinese or Japanese name without an introduction is not
 * found.
 */
export function listNames(text: string): readonly string[] {
  const found = announced.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  return [...found.flatMap((name) => name.split(joints)), ...splitSentences(text).flatMap(listCapitalised)]
    .map((name) => name.trim())
    .filter((name) => name !== "" && !isPlain(name));
}

/** Capitalised Latin words that do not begin a sentence. Includes days and months. */
function listCapitalised(sentence: string): readonly string[] {
  const start = sentence.search(/[\p{L}\p{N}]/u);
  return [...sentence.matchAll(/(?<![\p{Script=Latin}\p{N}_./\\@])\p{Lu}\p{Ll}\p{Script=Latin}{0,38}/gu)]
    .filter(({ 0: word, index }) => index > start || opens.test(sentence.slice(index + word.length)))
    .map(([word]) => word);
}

/** A name may open its sentence if one of these follows, or Chinese or Japanese text. */
const opens =
  /^\s?(?:[\u3040-\u30ff\u3400-\u9fff]|(?:is|was|has|will|can|lives?|works?|likes?|hates?|wants?|needs?|says?|said|and I)\b)/;

const joints = /[,、，/\s]+(?:and |or )?| and | or |和|跟|与|及|或/;

const plain = new Set(
  (
    "it its me my mine we us our you your he him his she her they them their this that these those there here the an a and but or so " +
    "if when what who where why how which then please thanks thank hi hello hey ok okay yes no not also well let do does did is are " +
    "was were be can could will would should shall may might must have has had today everyone everybody somebody someone nobody " +
    "everything something nothing in on at for to from as by of off out up back with after before because while all any some one " +
    "each every mr mrs ms dr prof just now maybe sorry sure good great nice oh"
  ).split(" "),
);

function isPlain(name: string): boolean {
  return (
    plain.has(name.toLowerCase()) ||
    /^(?:一起|一块|这里|那里|哪里|什么|自己|大家|别人|东西|饭|皆|お母|お父|誰)$/.test(name)
  );
}

/** The letters of a Chinese name end before words that continue the sentence. */
const han = String.raw`(?![在是的和跟与住也了今去来说很会不有对从就都他她我你它吧呢吗啊呀哦过被把给比为以但而])\p{Script=Han}`;
const surname =
  "(?:欧阳|司马|上官|诸葛|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤])";
const kin =
  "(?:妻子|太太|老婆|丈夫|老公|儿子|女儿|孩子|爸爸|妈妈|父亲|母亲|爷爷|奶奶|外公|外婆|哥哥|姐姐|弟弟|妹妹|哥|姐|弟|妹|朋友|同事|室友|同学|邻居|房东|男友|女友|对象|老板|上司|导师|医生|猫|狗)";
const kinJa = "(?:妻|夫|息子|娘|母|父|兄|姉|弟|妹|友達|友人|親友|彼女|彼氏|恋人|同僚|上司|先生|主人|犬|猫|名前|ペット)";
const word = String.raw`(?:[ァ-ヶー]{2,12}|\p{Script=Han}{1,4}|(?:(?![はがもをのにとでへ])[ぁ-ん]){2,6})`;

const announced: readonly RegExp[] = [
  String.raw`叫(?:做|作)?(?![大人什啥醒车外好停板喊到上起没个这那着声绝得苦号卖])((?:${han}){1,4})`,
  String.raw`(?:名字|姓名|昵称|外号|小名|大名|全名)[是为:：]?\s?((?:${han}){1,4})`,
  String.raw`(?<![百同老])姓(?![名氏什甚])(欧阳|司马|上官|诸葛|\p{Script=Han})`,
  String.raw`(${surname}(?:${han}){0,2}?(?:先生|女士|小姐|老师|医生|大夫|教授|律师|师傅|经理|主任|阿姨|叔叔|同学))`,
  String.raw`${kin}(?:是|名叫)?([小阿老]${han}|${surname}(?:${han}){1,2})`,
  String.raw`(?:住在|家住|现住|搬到|搬去|搬进|老家是?在?|家在|来自|出生在|出生于)(?![一这那哪])((?:都|${han}){2,8})`,
  String.raw`对((?:(?!严重|有点|有些|轻度|过敏|不耐|過敏)[^\s\p{P}]){1,12})(?:严重|有点|有些|轻度|也|都|会|很|重度){0,3}(?:过敏|不耐受|過敏)`,
  String.raw`(?:不吃|不能吃|吃不了|不喝|不能喝|喝不了|忌口?)((?:${han}){1,6})`,
  String.raw`\b(?:called|named|name is|name's|nickname is)\s(\p{L}[\p{L}'’-]{1,30})`,
  String.raw`\b(?:allergic|intolerant|sensitive) to (\p{L}{1,30}(?:(?:, and|, or|,| and| or) \p{L}{1,30}){0,4})`,
  String.raw`\b(\p{L}{2,20}) (?:allergy|intolerance)\b`,
  String.raw`\b(?:can't|cannot|can’t|don't|don’t|doesn't|doesn’t|never) (?:eat|drink)s? (\p{L}{2,20})`,
  String.raw`(?:名前|名|あだ名)(?:は|を)(${word})`,
  String.raw`(${word})(?:という|といいます|といい|と申し|って名前|と呼)`,
  String.raw`${kinJa}の(?!名前|こと|家|誕生|仕事|方)(${word})`,
  String.raw`${kinJa}は([ァ-ヶー]{2,12})`,
  String.raw`([ァ-ヶー]{2,12}|\p{Script=Han}{1,4})(?:さん|くん|君|ちゃん|先生)`,
  String.raw`([ァ-ヶー]{2,12}|\p{Script=Han}{1,8})(?:に住|在住|に引っ越|へ引っ越|出身|で生まれ)`,
  String.raw`(${word})(?:の|に|に対して)?(?:アレルギー|不耐症)`,
  String.raw`(${word})(?:が|は|を)(?:食べられ|飲めな|食べな|苦手)`,
].map((pattern) => new RegExp(pattern, "giu"));
