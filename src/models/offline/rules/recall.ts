import { readPlainFacts } from "../../../language/facts/read-plain-facts.ts";
import { addressSpeaker } from "../address-speaker.ts";
import { call, say } from "../rule.ts";
import type { Rule, Wish } from "../rule.ts";
import { findTopic } from "./talk.ts";
import { type Listed, withMemories } from "./with-memories.ts";

/** It only looks, so a negation in the words changes nothing: 「我不能吃什么」. */
export const recall: Rule = {
  kind: "ask",
  forms: [
    /^(?:还)?(?:记得|知道|说说|告诉我)(?<what>我(?!们)[^\n]{1,60}?(?:什么|啥|谁|哪|几|多少|多大|怎)[^\n]{0,20}?)(?:吗|么|不|没)?[?？。]?$/,
    /^(?:还)?(?:记得|知道)(?<what>我(?!们)[^\n]{1,60}?)(?:吗|么|不|没|[?？])[?？。]?$/,
    /^(?:还)?(?:记不记得|知不知道|记得不记得)(?<what>我(?!们)[^\n]{1,60}?)[?？。]?$/,
    /^(?<what>我(?:对什么|不吃什么|不能吃什么|喜欢(?:吃|喝|看|玩|听)?(?:什么|啥|谁)|讨厌(?:吃|喝)?(?:什么|啥)|最喜欢的.{1,8}是(?:什么|啥|谁|哪)|叫(?:什么|啥)|的?名字(?:是|叫)(?:什么|啥)|是谁|住(?:在)?(?:哪|什么)|家在哪|是哪里?人|老家(?:是|在)哪|的?生日(?:是)?(?:什么时候|哪天|几号|几月|多少)|(?:今年)?(?:几|多大|多少)岁?|多大|是做什么的|在哪(?:里|儿)?(?:上班|工作|上学)|的?(?:职业|工作)是(?:什么|啥)|的?.{1,5}叫(?:什么|啥))[^\n]{0,12})$/,
    /^(?:do you (?:still )?)?remember (?<what>(?:what|where|when|who|how|if|that|my)\b[^\n]{0,60}\b(?:i|my|me)\b[^\n]{0,40}|my [^\n]{1,40})\?$/,
    /^(?<what>(?:what[’']?s|what is|when[’']?s|when is|where[’']?s) my (?!ip\b|computer|phone|screen|files?\b|todo|code\b|password)[^\n]{1,40}|where do i (?:live|work)|what do i (?:like|hate|do for (?:a living|work))|what am i allergic to|how old am i|who am i|what don[’']?t i (?:like|eat|drink))\s*\??$/,
    /^(?<what>(?:私|僕|俺|わたし|ぼく)の(?:名前|誕生日|好きな|嫌いな|仕事|家|出身|年齢|歳|猫|犬)(?=[^\n]{0,40}(?:何|なに|なん|いつ|どこ|誰|だれ|どんな|いくつ|[?？]|っけ|か$|かな$|は$|って$|覚えて(?:る|い|ます)|知って))[^\n]{0,40})$/,
    /^what (?:did i tell|have i told) you (?:about )?(?<what>(?:me|my)\b[^\n]{0,60}?)\??$/,
    /^did i (?:ever |already )?tell you (?<what>(?:what|where|when|who|how|about|that|my)\b[^\n]{2,60}?)\??$/,
    /^我(?:有没有|之前|以前|是不是)*(?:跟你|告诉过?你|和你)(?:说|提|讲)?过?(?<what>我(?!们)[^\n]{1,40}?)(?:吗|没有?|来着)[?？]?$/,
    /^(?<what>(?:私|僕|俺|わたし)(?:は|が|の)[^\n]{1,40}?)(?:か|って)?(?:を|こと)?覚えて(?:る|いる|ます|いますか)/,
  ],
  read: (found) =>
    answer(found.part("what"), "several", (others) => say(others ? "memoryNotByWords" : "memoryUnknown")),
};

/** By the words of the question, else by its subject; `none` receives whether there are any memories at all. */
function answer(what: string, most: "one" | "several", none: (others: boolean) => Wish | undefined): Wish {
  const tell = (answers: Listed) => {
    const [one, other] = answers;
    if (one === undefined) return undefined;
    if (other === undefined || most === "one")
      return say("memoryOne", { text: addressSpeaker(one.content), since: one.since.slice(0, 10) });
    const lines = answers.map(
      ({ content, since }) => `- ${addressSpeaker(content).slice(0, 200)} (${since.slice(0, 10)})`,
    );
    return say("memorySeveral", { list: lines.join("\n") });
  };
  return withMemories(call("recall_memory", { topic: what, limit: 5 }), (found) => {
    const told = tell(narrow(what, pickAnswers(what, found.filter(isOwn))));
    if (told !== undefined || asksOfPast.test(what)) return told ?? none(false);
    // A fact in another language shares no word with the question, but it has the same subject.
    return withMemories(call("list_memories", { limit: 100 }), (all) => {
      const own = all.filter(isOwn);
      return tell(findBySubject(what, own)) ?? none(own.length > 0);
    });
  });
}

/** In a group others say 「我叫…」, too. */
const isOwn = ({ of }: Listed[number]): boolean => of === undefined;
const asksOfPast = /以前|之前|原来|曾经|从前|\b(?:before|used to|did i)\b|昔|(?<!名)前は|かつて/i;

/** Keys of plain facts that answer a question about their subject. */
const keys: readonly (readonly [asks: RegExp, answers: RegExp])[] = [
  [/生日|birthday|誕生日/i, /^birthday$/],
  [/叫(?:什么|啥)|名字|我是谁|\bname\b|who am i|名前/i, /^(?:nick)?name$/],
  [/老家|哪里?人|\bfrom\b|出身/i, /^hometown$/],
  [/住|家在|\blive\b|where.*home/i, /^home$/],
  [/过敏|過敏|allerg|アレルギー/i, /^allergy /],
  [/几岁|多大|how old|歳/i, /^age$/],
  [/职业|做什么|for a living|my job|仕事/i, /^occupation$/],
  [/上班|哪.{0,2}工作|\bwork\b/i, /^employer$/],
];

function findBySubject(question: string, memories: Listed): Listed {
  const [, answers] = kin.test(question) ? [] : (keys.find(([asks]) => asks.test(question)) ?? []);
  if (answers === undefined) return [];
  const found = memories.flatMap((memory) => {
    const fact = readPlainFacts(memory.content).find(({ key = "" }) => answers.test(key));
    return fact === undefined ? [] : [{ ...memory, content: fact.content }];
  });
  return found.filter(({ content }, index) => found.findIndex((one) => one.content === content) === index);
}

/** Narrows a text with several statements to the one that was asked for, and each once. */
function narrow(question: string, memories: Listed): Listed {
  const bySubject = findBySubject(question, memories);
  return bySubject.length > 0 ? bySubject : memories;
}

/** A word of time is the clock's. */
const isClock =
  /^(?:请问|那|那么|所以)?(?:今|明|后|後|昨|前|大后|大前|现在|此刻|这|那|本|下|上|周|星期|礼拜|农历|阴历|旧历|圣诞|聖誕|元旦|新年|跨年|国庆|情人节|万圣节|劳动节|五一|愚人节|\d)|天(?:之后|后|以后|前)|过.{1,6}(?:天|周|月|年)|时间$|日期$/;
const isClockInEnglish =
  /^(?:it|now|today|tomorrow|yesterday|this|that|the (?:time|date|day)|christmas|xmas|new year|valentine|halloween|april fool)\b|\b(?:ago|from now|in \d)|\b(?:in|at) [a-z]+ (?:now|right now)$/;

/** 「高考是几号」, "what time does the shop open": the clock does not know, a memory may. */
export const dateOf: Rule = {
  kind: "ask",
  forms: [
    /^(?<what>[^\n，。？?]{1,20}?)(?:是|在)?(?:几月几[号日]|几号|哪一?天|什么日子)(?:来着|啊|呢|呀)?[?？]?$/,
    /^(?:what (?:time|date|day) (?:is|was|does|do|did|will)|when (?:is|was|does|do|did|will)) (?<thing>[^\n?]{2,60}?)[?？]?$/,
  ],
  read(found) {
    const what = found.part("what");
    const thing = found.part("thing");
    if (isClock.test(what) || isClockInEnglish.test(thing)) return undefined;
    const topic = what || thing;
    return withMemories(call("recall_memory", { topic, limit: 5 }), (all) => {
      const one = all.find(({ content }) => namesAll(topic, content));
      return one === undefined
        ? say("memoryUnknown")
        : say("memoryOne", {
            text: one.of === undefined ? addressSpeaker(one.content) : `${one.of}: ${one.content}`,
            since: one.since.slice(0, 10),
          });
    });
  },
};

/** 「小王的生日」 is not answered by another person's birthday. */
function namesAll(topic: string, content: string): boolean {
  const parts = topic.split(/的|[^\S\n]+/).filter((part) => !/^(?:我|my|the|a|an|)$/i.test(part));
  return parts.every((part) => content.toLowerCase().includes(part.toLowerCase()));
}

/** Any question about oneself or one's family: a memory that answers, or else the default talk. */
export const recallAnything: Rule = {
  kind: "ask",
  forms: [
    /^(?<what>我(?!们|要|该|想|能|可以|应该|得|去|再|说|问|用|怎|不|没)[^\n，。]{0,30}?(?:什么|啥|谁|哪|几|多少|多大)[^\n，。]{0,10})$/,
    /^(?<what>(?:where (?:do|did) i|what do i|what[’']?s my (?:favou?rite|name|job|birthday|cat|dog)|how many (?:children|kids|cats|dogs) do i|when is my)\b[^\n]{1,40})$/,
    /^(?<what>(?:what|where|who) (?:do|does|did|is|are|can|can[’']?t|don[’']?t|doesn[’']?t) my (?:wife|husband|partner|girlfriend|boyfriend|son|daughter|kids?|children|brother|sister|mother|mum|mom|father|dad|cat|dog)\b[^\n]{0,60})$/,
    /^(?<what>(?:私|僕|俺|わたし)(?:は|の)[^\n]{1,30}(?:どこ|何|いつ|誰)[^\n]{0,12})$|^(?<thing>今?どこに住んで(?:る|いる|いますか))/,
  ],
  read(found) {
    const what = found.part("what") || found.part("thing");
    // No other rule knows a person's likes; the default talk would be about something else.
    const isOfMemory = kin.test(what) || liked.test(what) || disliked.test(what);
    return answer(what, "one", (others) =>
      isOfMemory ? say(others ? "memoryNotByWords" : "memoryUnknown") : findTopic(found.clause.request.text),
    );
  },
};

/** The subject of a question, and the words of an answer to it: a near miss does not count. */
const subjects: readonly (readonly [asks: RegExp, answers: RegExp])[] = [
  [/生日|birthday|誕生日/i, /生日|出生|birthday|born|誕生日|生まれ/i],
  [/叫(?:什么|啥)|名字|我是谁|\bname\b|who am i|名前/i, /叫|名字|姓|\bname|\bcall(?:ed)?\b|名前|という|と申/i],
  [/住|家在|\blive\b|where.*home/i, /住|搬|家在|定居|\blive|\bmoved?\b|引っ越/i],
  [/过敏|過敏|allerg|アレルギー/i, /过敏|過敏|allerg|アレルギー/i],
  [
    /不吃|不能吃|不喝|(?:can|do)(?:no|[’']?)t (?:eat|drink)/i,
    /不吃|不能|吃不了|不喝|过敏|素|忌|\beat\b|drink|allerg|vege|vegan/i,
  ],
  [/讨厌|不喜欢|hate|dislike|嫌い|苦手/i, /讨厌|不喜欢|受不了|怕|hate|dislike|stand|嫌い|苦手/i],
  [/喜欢|爱|\blike\b|\blove\b|favou?rite|好き/i, /喜欢|爱|偏好|\blikes?\b|\bloves?\b|prefer|enjoy|favou?rite|好き/i],
  [/几岁|多大|how old|歳/i, /岁|years? old|\d{2}|歳/i],
  [/老家|哪里?人|\bfrom\b|出身/i, /老家|人|来自|\bfrom\b|出身/i],
  [/职业|工作|上班|做什么|for a living|\bwork\b|仕事/i, /是|在|做|职业|工作|上班|\bwork|\bam\b|[’']m|仕事|働/i],
];
const kin =
  /猫|狗|女儿|儿子|老婆|妻子|老公|丈夫|男朋友|女朋友|室友|妹妹|弟弟|哥哥|姐姐|\b(?:cat|dog|wife|husband|son|daughter|brother|sister|partner)\b|犬|娘|息子|妻|夫/i;

const liked = /喜欢|爱|\blikes?\b|\bloves?\b|favou?rite|好き/i;
const disliked =
  /不(?:太|怎么|是很|再)?(?:喜欢|爱)|讨厌|受不了|厌恶|反感|(?:not|n[’']?t) (?:really )?(?:like|love)|hate|dislike|嫌い|苦手|好きじゃ|好きでは/i;
/** 「我喜欢喝什么」 is about what one drinks. */
const ways: readonly RegExp[] = [
  /喝|\bdrink|飲/i,
  /吃|\beat|食べ/i,
  /听|\blisten|聴/i,
  /玩|\bplay|遊/i,
  /看|\bwatch|見/i,
];

/** Among those that answer, the ones with the question's own verb where there are any. */
function pickAnswers(question: string, memories: Listed): Listed {
  const answers = memories.filter(({ content }) => answersQuestion(question, content));
  const way = ways.find((one) => one.test(question));
  const same = way === undefined ? [] : answers.filter(({ content }) => way.test(content));
  return same.length > 0 ? same : answers;
}

function answersQuestion(question: string, content: string): boolean {
  // A dislike is no answer to 「我喜欢什么」.
  if (liked.test(question) && !disliked.test(question) && disliked.test(content)) return false;
  if (disliked.test(question) && liked.test(content) && !disliked.test(content)) return false;
  const [asks, answers] = subjects.find(([about]) => about.test(question)) ?? [];
  const who = kin.exec(question)?.[0].toLowerCase();
  if (who !== undefined) return (answers?.test(content) ?? true) && content.toLowerCase().includes(who);
  if (answers === undefined) return true;
  if (asks === undefined || liked.test(question) || disliked.test(question)) return answers.test(content);
  // 「老婆叫小美」 is no answer to 「我叫什么」.
  return content.split(/[,，、;；。.]|\band\b/i).some((clause) => answers.test(clause) && !kin.test(clause));
}
