import { enForms } from "./forms/en.ts";
import { jaForms } from "./forms/ja.ts";
import type { FactForm, PlainFact } from "./plain-fact.ts";
import { zhForms } from "./forms/zh.ts";

/** A longer text is seldom about its sender: a letter, a story, a page. */
const maxTextLength = 300;
const maxClauseLength = 80;
const maxClauses = 12;
const maxFacts = 5;

const forms: readonly FactForm[] = [...zhForms, ...enForms, ...jaForms];

/**
 * Facts that a person states about themself in plain words: "我对花生过敏", "I live in Berlin". Precision first: questions,
 * quotations, conditions, jokes, what others are like and what was once are no facts. Linear in the text.
 */
export function readPlainFacts(written: string): readonly PlainFact[] {
  const text = written.normalize("NFKC").trim().replace(mention, "").replace(ordered, "$1");
  if (text.length > maxTextLength || notMeant.test(text)) return [];
  const sentences = splitSentences(text);
  if (sentences.flat().length > maxClauses) return [];
  const found: PlainFact[] = [];
  for (const fact of sentences.flatMap(readSentence)) {
    if (found.some(({ content }) => content === fact.content)) continue;
    // 「我不在杭州了，搬到广州住了」: the later word of a message counts.
    const before = found.findIndex(({ key }) => key !== undefined && key === fact.key && ofSelf.test(key));
    if (before !== -1) found.splice(before, 1);
    found.push(fact);
  }
  return found.slice(0, maxFacts);
}

/** A clause without a subject has that of the one before it, as long as that one is about the speaker. */
function readSentence(clauses: readonly string[]): readonly PlainFact[] {
  const found: PlainFact[] = [];
  let about: "self" | "taste" | undefined;
  for (const clause of clauses) {
    if (clause === "") continue;
    const whole = about === undefined ? clause : giveSubject(clause, about);
    const fact = readClause(whole);
    if (fact) found.push(fact);
    about =
      changes.test(whole) || ofSelf.test(fact?.key ?? "") ? "self" : tastes.test(fact?.key ?? "") ? "taste" : undefined;
  }
  return found;
}

function giveSubject(clause: string, about: "self" | "taste"): string {
  if (goesOnTasting.test(clause) || (about === "self" && goesOnOfSelf.test(clause))) return `我${clause}`;
  return about === "self" && goesOnInEnglish.test(clause) ? `I ${clause}` : clause;
}

/** The statements of a text, without what only opens or closes them. */
function splitSentences(text: string): readonly (readonly string[])[] {
  const own: string[] = [];
  for (const sentence of text.split(sentenceEnd)) {
    const isUnsure = unsure.test(sentence);
    // The rest is another person's words, or goes on with something that is not so.
    if (reports.test(sentence) || (isUnsure && sentence.endsWith("\n"))) break;
    if (!isUnsure && !asks.test(sentence)) own.push(sentence);
  }
  return own.map((sentence) =>
    sentence
      .split(/[,、;]|\sand (?=(?:i|i['’]m|i['’]ve|my)\s)/i)
      .map((clause) => clause.trim().replace(opening, "").replace(closing, "").trim()),
  );
}

function readClause(clause: string): PlainFact | undefined {
  if (clause === "" || clause.length > maxClauseLength) return undefined;
  for (const { category, forms: shapes, read } of forms) {
    for (const shape of shapes) {
      const groups = shape.exec(clause)?.groups;
      if (groups === undefined) continue;
      const fact = read(Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, (part ?? "").trim()])));
      if (!fact) continue;
      // 「记住我不吃辣」: what is to be remembered counts, not the order.
      const ordered = groups["ordered"];
      if (ordered === undefined && besides.test(clause) && /^(?:occupation|employer)$/.test(fact.key ?? ""))
        return { category, content: clause };
      return ordered === undefined
        ? { category, content: clause, ...fact }
        : (readClause(ordered) ?? { category, content: ordered });
    }
  }
  return undefined;
}

/** The facts of which a person has one at a time. */
const ofSelf =
  /^(?:name|nickname|home|hometown|age|occupation|employer|school|birthday|partner|city of (?:work|school))$/;
const tastes = /^(?:dis)?likes$|^diet/;
/** They say that something has changed, and what it is now comes next. */
const changes =
  /^我们?(?:已经|刚|最近|又|终于|前几天|上个?月|上周|今年|去年){0,2}(?:搬家|改名|改名字|换工作|换了?工作|换公司|跳槽|转行|辞职|毕业|入职)了?$|^i(?:['’]ve| have)? (?:just |recently |finally )?(?:moved|moved house|changed jobs|quit my job|graduated)$/i;
const goesOnOfSelf =
  /^(?:现在|目前|如今|已经|刚|又|就){0,2}(?:住|搬到|搬去|搬回|定居在|家在|在.{2,16}(?:工作|上班|上学|读书|读研|读博)$|是|叫|改叫|来自|今年\d|对.{1,10}过敏)/;
const goesOnTasting = /^(?:现在|也|更|最|很|特别){0,2}(?:不喜欢|喜欢|讨厌|爱[吃喝看听玩]|不吃|不喝)/;
const goesOnInEnglish = /^(?:now )?(?:live in|moved to|work (?:as|at|for)) /i;
/** It is a side job, next to the job that a person lives on. */
const besides = /\b(?:on|at) (?:the )?weekends?\b|\bpart[- ]time\b|周末|兼职|业余|副业|週末|アルバイト/i;

/** In a group the message begins with who it is for. */
const mention = /^@\S{1,40}\s+/;

/** 「记住：我不吃辣」 is one statement. After any other colon comes a list or another person's words. */
const ordered = /^((?:请|帮我|你)?记住|(?:please )?remember(?: this)?)[:,]\s*/i;

/** Full stops of Latin text only before a space, so that 3.5 and kurisu.dev stay whole. */
const sentenceEnd = /(?<=[。!?!?\n…])|(?<=(?<!\b(?:St|Mt|Dr|Mr|Mrs|Ms|Ft))\.)(?=\s)/;

/** Words before the statement that change nothing about it. */
const opening =
  /^(?:(?:嗯+|呃+|啊+|哦+|那个|对了|其实|话说|说起来|顺便(?:说|提)?(?:一下|一句)?|告诉你|跟你说(?:一下|个事)?|我跟你说|说实话|老实说|而且|另外|还有|因为|不过|但是?|所以|不对|说错了|更正一下|更正|你好|您好|大家好|btw|by the way|actually|well|so|and|but|also|oh|hi|hello|hey|now|sorry|wait|fyi|just so you know|honestly|because|実は|ちなみに|あの|えっと|ところで|こんにちは|はじめまして|それと|あと)[\s,,、]*){1,4}/i;

const closing =
  /(?:[\s.。!!~~]|(?<=.)[呢啊呀啦哦喔噢嘛哈](?=$)|(?:的哦|的呢|的啊|的说)$|[((][^()()]{0,12}[))]$|(?:よ|ね|よね|わ|んだ|んだよ|んです|んですよ|のです|なんです|なんだ|なんだよね)$){1,4}$/u;

/** Said of nothing that is so: jokes, quotations, parts in a play, texts to be worked on, conditions. */
const notMeant =
  /["“”「」『』«»`]|(?<![a-z])'[^']{2,}'(?![a-z])|开玩笑|逗你|骗你|才怪|狗头|doge|bushi|不是认真|瞎说|hhh|哈哈|233|233|笑死|\blol\b|\bjk\b|just kidding|\bkidding\b|冗談|嘘だ|なんちゃって|😂|🤣|翻译|译成|改写|润色|造句|例句|作文|小说|台词|剧本|歌词|扮演|假装|假设|角色|的意思|怎么说|是什么意思|translate|rewrite|proofread|role-?play|pretend|imagine|lyrics|story|essay|sentence|翻訳|訳して|例文|セリフ|歌詞|演じ|ふりをし|^\s*>|\bforwarded\b|转发|转自|:|^\/|https?:\/\//im;

const asks =
  /[??]|[吗么嘛呢][\s。!!]*$|什么|怎么|为什么|为啥|是不是|对不对|有没有|能不能|会不会|多少|哪里|哪儿|哪个|哪天|几[岁点号月]|谁|啥|猜|\b(?:what|which|why|how|who|where|when|guess|whether)\b|\b(?:do|does|did|am|are|is|can|could|should|would) (?:i|you|we|my)\b|ですか|ますか|でしょうか|(?:か|かな|っけ|の)[\s。]*$|何|誰|どこ|いつ|なぜ|どうして/i;

/** Others have said it, or it is written somewhere. */
const reports =
  /听说|据说|有人|[他她它]们?说|[他她它]们?的?原话|跟我[讲说]|[对和]我[讲说]|告诉我|发的|发来|留言|写道|写着|网上|书里|看到.{0,8}(?:微博|帖子|评论|新闻|推文|朋友圈)|\b(?:heard|said|says|told|wrote|writes|posted|tweeted)\b|言って|と書いて|から聞い|によると/i;

/** Conditions, guesses, what has ended or only for today. */
const unsure =
  /如果|要是|假如|万一|的话|好像|可能|也许|大概|似乎|说不定|应该|人家|别人|梦见|做梦|曾经|以前|过去|小时候|那时|从前|当年|今天|今晚|现在不|刚刚|刚才|暂时|差点|希望|想要?成|恨不得|不再|再也|谁说|\b(?:if|maybe|perhaps|probably|might|seems?|guess|used to|once|wish|hope|today|tonight|(?<!(?:like|love|enjoy|live in|eat|drink) [^.,]{1,40})any ?more|for now|temporarily|as a kid|when i was|almost|would)\b|もし|たら|なら|らしい|みたい|そうです|かも|たぶん|多分|昔|以前|子供の頃|今日|今夜|と思|夢/i;
