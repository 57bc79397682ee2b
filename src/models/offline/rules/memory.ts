import { z } from "zod";
import { readPlainFacts } from "../../../core/facts/read-plain-facts.ts";
import { call, say, takeOffCourtesies } from "../rule.ts";
import type { Rule, Wish } from "../rule.ts";
import type { ToolReport } from "../read-conversation.ts";
import { findTopic } from "./talk.ts";

const listOutput = z.object({
  memories: z.array(
    z.object({
      id: z.union([z.string(), z.number()]),
      content: z.string(),
      since: z.string(),
      said: z.object({ by: z.string(), quote: z.string() }).optional(),
    }),
  ),
});

type Listed = z.infer<typeof listOutput>["memories"];

/** 「记住我喜欢猫」: the words themselves are kept. */
const keep: Rule = {
  kind: "act",
  forms: [
    /^(?:一定|千万|可|好好|得|要|给我){0,3}(?:记住|记得|记下|记着)[,:：，]?\s*(?<what>(?!去|来|说|回|叫|提醒|待办|到|在|这|什么|多少|哪|刚|吗|没|了)[^]{2,500})$/,
    /^(?:把)(?<what>[^\n]{2,500})(?:记住|记下来|记在脑子里)$/,
    /^记一下[,:：，]?\s*(?<what>(?:我|俺|咱)[^]{2,500})$/,
    /^(?:note|keep in mind|bear in mind|make a note)(?: that)?,? (?<what>(?:i|i[’']m|i[’']ve|my|we|our)\b[^]{3,500})$/,
    /^(?:always )?remember(?: this| that)?[,:]?\s+(?<what>(?!to |when|the time|me\b|what|how|why|where|who)[^]{3,500})$/,
    /^(?<what>[^\n]{2,200}?)(?:って|と|ということ|こと|の)?を?覚え(?:といて|て(?:おいて|て(?!る)|(?=くれ|ください|ほしい)))/,
    /^(?:これを?)?覚えて(?:おいて|て)?(?:ください|ね)?[:：、,]\s*(?<what>[^]{2,500})$/,
  ],
  read: (found) => keepWords(found.part("what")),
};

/** 「别忘了我不吃香菜」 forbids nothing: it is an order. */
const keepUnforgotten: Rule = {
  kind: "ask",
  forms: [
    /^(?:可|千万)?(?:别|不要)忘(?:了|记)[,:：，]?\s*(?<what>我(?!们?[,，。!！]|的话|说)[^]{2,500})$/,
    /^(?:please )?(?:don[’']?t|do not|never) forget(?: this| that)?[,:]?\s+(?<what>(?:i|my|i[’']m|we)\b[^]{3,500})$/,
    /^(?<what>(?:私|僕|俺)(?:は|が|の)[^\n]{2,200}?)(?:って|と|ということ|こと|の)?(?:を|は)?忘れないで(?:ください|くれ|ね)?[。！!]?$/,
  ],
  read: (found) =>
    /如果|要是|\bif\b|もし/.test(found.clause.request.text) ? undefined : keepWords(found.part("what")),
};

/** 「我不吃香菜，记一下」 keeps what stands before; 「记住」 alone is asked about. */
const keepBefore: Rule = {
  kind: "act",
  forms: [
    /^(?:请|你|都|也|可|一定|千万|好好|要|得|给我){0,4}(?:记住|记下来?|记一下|记着|记好)(?:它|这个|这些|这条|这点|这件事|我说的)?(?:吧|哦|啊|呀|哈|好吗)?[。！!~～]{0,3}$/,
    /^(?:always )?(?:remember|keep in mind|note)(?: (?:this|that|it|something|one thing))?(?: (?:for me|down|please))?[.!]{0,3}$/,
    /^(?:これ|それ|このこと|ちゃんと|しっかり){0,2}(?:を|は)?覚え(?:て|といて|ておいて)(?:ね|よ|ください|くれ|ほしい)?[。！!]{0,3}$/,
  ],
  read({ clause: { at, request } }) {
    const before = takeOffCourtesies(
      request
        .original(0, at)
        .slice(-500)
        .replace(/(?:帮我|请|麻烦|你)$/, ""),
    );
    const kept = before.length < 4 ? undefined : keepWords(before);
    return kept ?? say("memoryWhat");
  },
};

function keepWords(said: string): Wish | undefined {
  const what = takeOffCourtesies(said).replace(/[、，,\s]{1,9}$/, "");
  if (what.length < 2 || /[?？吗]$|(?:什么|啥|哪些|谁|哪里|哪儿|怎么办|多少)$/.test(what)) return undefined;
  const [fact] = readPlainFacts(what);
  const likes = /喜欢|讨厌|爱|偏好|\b(?:like|love|hate|prefer)|好き|嫌い/i.test(what);
  return call("remember", {
    category: fact?.category ?? (likes ? "preference" : "fact"),
    content: what,
    ...(fact?.key !== undefined && fact.value !== undefined && { key: fact.key, value: fact.value }),
  });
}

const forgetAll: Rule = {
  kind: "act",
  forms: [
    /^(?:把)?(?:请)?(?:忘掉|忘了|忘记|删掉|删除|清除|清空)(?:关于)?我(?:吧|的一切|的所有(?:事|记忆|信息)?|的(?:全部)?(?:记忆|信息|资料|数据)|这个人)?(?:吧)?[。！!]?$/,
    /^(?:把)?(?:关于)?我的(?:一切|所有(?:事|记忆|信息)?|全部(?:记忆|信息)?|记忆|事)(?:都|全部?)(?:忘掉|忘了|删掉|删了|清掉|清空)/,
    /^(?:把)?我(?:跟你|对你)?说(?:过)?的(?:话|事)?(?:都|全部?|通通)(?:忘掉|忘了|删掉|删了)[。！!]?$|^(?:把)?(?:全部?|都|一切|所有(?:的|记忆)?)(?:都)?(?:忘掉|忘了|忘光)(?:吧)?[。！!]?$|^(?:忘掉|忘记)(?:一切|所有(?:的)?(?:事|记忆)?)[。！!]?$/,
    /^(?:把)?你?记得的(?:我的)?(?:都|全部?)(?:忘掉|忘了|删掉|清掉)/,
    /^forget (?:about )?(?:me|everything(?: (?:about me|you know(?: about me)?))?|all about me)[.!]?$|^(?:delete|erase|wipe) (?:everything (?:you know )?about me|my (?:data|memories|memory))/,
    /^(?:私|僕|俺)のこと(?:を|は)?(?:全部|すべて)?忘れて|^(?:私|僕|俺)の(?:データ|記憶)を?(?:全部|すべて)?(?:消して|削除)/,
  ],
  read: () => call("forget", { all: true }),
};

/** 「忘掉第3条」: the number that the list shows. */
const forgetNumber: Rule = {
  kind: "act",
  forms: [
    /^(?:把)?(?:忘掉|忘了|忘记|删掉)(?:第)?\s?#?(?<id>\d{1,9})\s?(?:号|条|个)?(?:记忆)?(?:吧)?[。！!]?$|^把(?:第)?\s?#?(?<number>\d{1,9})\s?(?:号|条|个)(?:记忆)?(?:忘掉|忘了|删掉)/,
    /^forget (?:memory |number |no\. ?)?#?(?<id>\d{1,9})[.!]?$/,
    /^#?(?<id>\d{1,9})(?:番|件目)?(?:を|は)?忘れて/,
  ],
  read: (found) => call("forget", { memory_id: Number(found.part("id") || found.part("number")) }),
};

/** 「别记住我说的话」: what she hears is in the log, and she says so. */
const keepNothing: Rule = {
  kind: "ask",
  forms: [
    /^(?:别|不要|不用|不许)(?:再)?(?:记住?|记下|记着)(?:我(?:说|讲)的(?:话|这些)?|这个|这条|这些|这件事|它)?(?:了)?[。！!]?$/,
    /^(?:刚才|刚刚)?(?:那条|这条|那句|这句|那个|说的)(?:话)?(?:就)?(?:别|不要|不用|不必)(?:再)?(?:记|留)(?:住|着|下)?了?[。！!]?$/,
    /^(?:别|不要|不用)(?:再)?记(?:住|着|得)?我的[^\n，。]{1,12}了$/,
    /^(?:don[’']?t|do not) (?:remember|keep|save|note) (?:this|that|it|what i say|anything i say)[.!]?$/,
    /^(?:これ|それ|私の話)(?:を|は)?(?:覚え|記録し)ないで/,
  ],
  read: () => say("keepsLog"),
};

/** 「忘掉它」 is the newest; 「忘掉我喜欢猫」 the one with these words. */
const forgetOne: Rule = {
  kind: "act",
  forms: [
    /^(?:把)?(?:请)?(?:忘掉|忘了|忘记|别(?:再)?记着?)(?<it>它|这个|这条|这件事|刚才(?:那个|那条|的)|刚刚(?:那个|的)|那个|那条|那件事)(?:吧|了)?[。！!]?$/,
    /^(?:把)(?<it>它|这个|这条|刚才(?:那个|那条|的)|那个|那条)(?:给)?(?:忘掉|忘了|忘记|删掉)/,
    /^(?:请)?(?:忘掉|忘记|忘了|别(?:再)?记着?)(?:关于)?(?<what>(?!了|吗|没|作罢|算了|就算|拉倒|也罢|就好|没关系)[^\n?？，]{2,60}?)(?:这件事|这回事|的事|这条)?(?:吧|了)?[。！!]?$/,
    /^把(?<what>[^\n?？]{2,60}?)(?:这件事|这回事|的事|这条)?(?:给)?(?:忘掉|忘了|忘记)(?:吧)?[。！!]?$/,
    /^forget (?<it>it|that|this|the last one|what i just said)[.!]?$/,
    /^(?:删掉|删除|忘掉|清掉|去掉)(?:你)?(?:记(?:得|住|着|下)?的)?关于(?<what>我的?[^\n?？]{1,40}?)(?:的(?:事|记忆|东西|内容))?[。！!]?$/,
    /^forget (?:what i (?:said|told you) |about |that )?(?:about )?(?<what>(?!it\b|me\b|about\b)[^\n?,]{3,60}?)[.!]?$/,
    /^(?:delete|erase|remove) (?:what|everything|anything|all) you (?:know|remember|have|saved) (?:of|about) (?<what>my [^\n?]{2,40}?)[.!]?$/,
    /^(?<it>それ|これ|今の|さっきの|(?:今|さっき)言ったこと)(?:を|は|のこと)?(?:を)?忘れて/,
    /^(?<what>[^\n?？]{2,40}?)(?:のこと|こと|って|の)?(?:を|は)?忘れて(?:ください|くれ|いい|ほしい)?[。！!]?$/,
  ],
  read(found) {
    if (/如果|要是|吗|[?？]|\bif\b|もし|^(?:算了|没事|never ?mind|もういい)/.test(found.clause.request.text))
      return undefined;
    const what = takeOffCourtesies(found.part("what"));
    if (what === "" && found.part("it") === "") return undefined;
    if (what === "")
      return withMemories(call("list_memories", { limit: 1 }), ([newest]) =>
        newest === undefined ? say("memoriesNone") : call("forget", { memory_id: newest.id }),
      );
    return withMemories(call("recall_memory", { topic: what, limit: 5 }), (memories) => {
      const exact = memories.filter(({ content }) => content.includes(what) || what.includes(content));
      const [one, other] = exact.length > 0 ? exact : memories;
      if (one === undefined) return say("memoryUnknown");
      if (other === undefined) return call("forget", { memory_id: one.id });
      const list = memories.map(({ content, id }) => `${id}. ${content.slice(0, 80)}`).join("\n");
      return say("memoryWhich", { list });
    });
  },
};

const list: Rule = {
  kind: "look",
  forms: [
    /^(?:都|还|到底|究竟|现在|又)*(?:记得|记住了?|记着|知道)(?:关于)?我(?:的)?(?:些|点|过)?(?:什么|啥|哪些(?:事)?|多少(?:事)?)(?:吗|呢|来着)?[?？。]?$|^(?:都|还)*(?:记得|记住了?|记着|知道)(?:些|了)?(?:什么|啥|哪些)(?:关于我的)?(?:事)?[?？。]?$|^关于我.{0,6}(?:记得|知道)(?:些)?(?:什么|啥|多少)|^(?:列出|看看|显示)(?:你)?(?:关于我的|对我的|的|我的)?记忆|^(?:我的)?记忆(?:列表|清单)?[?？。]?$/,
    /^what (?:all )?(?:do you|have you) (?:know|remember|remembered|learned)(?: about me)?\??$|^(?:list|show)(?: me)? (?:your |my |all )?memories\b|^what(?:'s| is) in your memory/,
    /(?:私|僕|俺)(?:のこと|について)(?:を|で|は)?(?:何を?|どこまで|どれくらい)(?:覚えて|知って)|^何を覚えて(?:る|いる|ます)/,
  ],
  read: () => call("list_memories"),
};

/** 「为什么记得」: when it was said. The message itself is in `/memory why`. */
const why: Rule = {
  kind: "look",
  forms: [
    /^(?:为什么|为啥|怎么(?:会)?)(?:还)?(?:会)?(?:记得|知道)(?<what>[^\n?？]{0,60})[?？。]?$/,
    /^(?:从哪(?:里|儿)?|哪(?:里|儿))(?:知道|听说|看到)(?:的)?(?<what>[^\n?？]{0,60})[?？。]?$/,
    /^(?:why|how) do you (?:remember|know)(?: that| about)?(?<what>[^\n?]{0,60})\??$/,
    /^(?:なぜ|なんで|どうして)(?<what>[^\n?？]{0,40}?)(?:を|のこと)?(?:覚えて|知って)/,
  ],
  read(found) {
    const what = takeOffCourtesies(found.part("what")).replace(/^(?:这个|这件事|那个|这些|的)$/, "");
    if (what !== "" && !/我|\b(?:i|my|me)\b|私|僕|俺/i.test(what)) return undefined;
    const asked = what === "" ? call("list_memories", { limit: 1 }) : call("recall_memory", { topic: what, limit: 1 });
    return withMemories(asked, ([one]) =>
      one === undefined
        ? say("memoryUnknown")
        : say("memoryWhy", { text: one.said?.quote ?? one.content, since: one.since.slice(0, 10), id: one.id }),
    );
  },
};

/** It only looks, so a no in the words changes nothing: 「我不能吃什么」. */
const recall: Rule = {
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
  read(found) {
    const what = found.part("what");
    return withMemories(call("recall_memory", { topic: what, limit: 5 }), (all) => {
      const memories = pickAnswers(what, all);
      const [one, other] = memories;
      if (one === undefined) return say("memoryUnknown");
      if (other === undefined) return say("memoryOne", { text: one.content, since: one.since.slice(0, 10) });
      const lines = memories.map(({ content, since }) => `- ${content.slice(0, 200)} (${since.slice(0, 10)})`);
      return say("memorySeveral", { list: lines.join("\n") });
    });
  },
};

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
        : say("memoryOne", { text: one.content, since: one.since.slice(0, 10) });
    });
  },
};

/** 「小王的生日」 is not answered by the birthday of somebody else. */
function namesAll(topic: string, content: string): boolean {
  const parts = topic.split(/的|[^\S\n]+/).filter((part) => !/^(?:我|my|the|a|an|)$/i.test(part));
  return parts.every((part) => content.toLowerCase().includes(part.toLowerCase()));
}

/** Any question about oneself: a memory that answers, or else the usual talk. */
export const recallAnything: Rule = {
  kind: "ask",
  forms: [
    /^(?<what>我(?!们|要|该|想|能|可以|应该|得|去|再|说|问|用|怎|不|没)[^\n，。]{0,30}?(?:什么|啥|谁|哪|几|多少|多大)[^\n，。]{0,10})$/,
    /^(?<what>(?:where (?:do|did) i|what do i|what[’']?s my (?:favou?rite|name|job|birthday|cat|dog)|how many (?:children|kids|cats|dogs) do i|when is my)\b[^\n]{1,40})$/,
    /^(?<what>(?:私|僕|俺|わたし)(?:は|の)[^\n]{1,30}(?:どこ|何|いつ|誰)[^\n]{0,12})$|^(?<thing>今?どこに住んで(?:る|いる|いますか))/,
  ],
  read(found) {
    const what = found.part("what") || found.part("thing");
    return withMemories(call("recall_memory", { topic: what, limit: 5 }), (all) => {
      const [one] = pickAnswers(what, all);
      if (one === undefined) return findTopic(found.clause.request.text);
      return say("memoryOne", { text: one.content, since: one.since.slice(0, 10) });
    });
  },
};

/** The subject of a question, and the words of an answer to it: a near miss is none. */
const subjects: readonly (readonly [asks: RegExp, answers: RegExp])[] = [
  [/生日|birthday|誕生日/i, /生日|出生|birthday|born|誕生日|生まれ/i],
  [/叫(?:什么|啥)|名字|\bname\b|名前/i, /叫|名字|姓|\bname|\bcall(?:ed)?\b|名前|という|と申/i],
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

const liked = /喜欢|爱|\blike\b|\blove\b|favou?rite|好き/i;
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

/** Of those that answer, the ones of its own verb where there are any. */
function pickAnswers(question: string, memories: Listed): Listed {
  const answers = memories.filter(({ content }) => answersQuestion(question, content));
  const way = ways.find((one) => one.test(question));
  const same = way === undefined ? [] : answers.filter(({ content }) => way.test(content));
  return same.length > 0 ? same : answers;
}

function answersQuestion(question: string, content: string): boolean {
  // A dislike is no answer to 「我喜欢什么」.
  if (liked.test(question) && !disliked.test(question) && disliked.test(content)) return false;
  const [, answers] = subjects.find(([asks]) => asks.test(question)) ?? [];
  const who = kin.exec(question)?.[0].toLowerCase();
  return (answers?.test(content) ?? true) && (who === undefined || content.toLowerCase().includes(who));
}

function withMemories(asked: Extract<Wish, { kind: "call" }>, read: (memories: Listed) => Wish | undefined): Wish {
  return {
    ...asked,
    next([report]: readonly ToolReport[]) {
      const listed = report?.result.ok === true ? listOutput.safeParse(report.result.output) : undefined;
      return listed?.success === true ? read(listed.data.memories) : undefined;
    },
  };
}

export const memoryRules: readonly Rule[] = [
  forgetAll,
  forgetNumber,
  keepNothing,
  forgetOne,
  why,
  list,
  recall,
  keepUnforgotten,
  keepBefore,
  keep,
];
