import { readPlainFacts } from "../../../language/facts/read-plain-facts.ts";
import { call, say, takeOffCourtesies } from "../rule.ts";
import type { Rule, Wish } from "../rule.ts";
import { recall } from "./recall.ts";
import { withMemories } from "./with-memories.ts";

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

/** 「我不吃香菜，记一下」 keeps what precedes it; 「记住」 alone asks what to keep. */
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
