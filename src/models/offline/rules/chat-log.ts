import { z } from "zod";
import { call, say, takeOffCourtesies } from "../rule.ts";
import type { Call, Found, Rule, Wish } from "../rule.ts";

const found = z.object({ line_numbers: z.array(z.number()), total_matches: z.number() });
/** Messages that are shown of a search. */
const maxShown = 5;

const log = "(?:聊天记录|聊天历史|历史消息|历史记录|消息记录|以前的(?:聊天|消息|话)|之前的(?:聊天|消息))";

const speaks = "(?:提到|提起|说到|说起|聊到|聊起|讲到|谈到|讨论|提|说|聊|讲|谈)";
const seeks = "(?:搜|查|找|翻|看)(?:一?下|一?[搜查找翻看]|索){0,2}";
const before = "上次|上回|之前|以前|刚才|刚刚|昨天|前天|前几天|上周|最近|群里|大家里|我们里|聊天里";
/** 「谁说过要去京都」: the plan itself is stated in other words. */
const meant = "(?:想要|打算|要|会|想)?";
const nobody = "(?!我|你|咱|他|她|它|大家|谁|群|这|那|有人|有没有|什么|怎么|为|没)";
/** 「火锅群」: the search is for that group alone. */
const named = "(?<chat>(?!我们|咱|大家|这|那|本|哪|群|聊天|历史|以前|之前)[^\\s，。！？的在从]{1,20}?群)";
/** Times as src/features/chatlog/ranking/past-time.ts reads them. */
const count = "(?:\\d{1,3}|[一二两三四五六七八九十]{1,3})";
const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const when = {
  zh: `大?前天|昨[天晚]|今[天早晚]|前[几两]天|这[几两]天|(?:上{1,3}|这|本)个?(?:周|星期|礼拜)[一二三四五六日天末]?|(?:上{1,3}|这|本)个?月|[今去前]年|${count}(?:个?(?:月|星期|礼拜)|周|天|日|年)(?:之|以)?前`,
  en: `yesterday|today|this (?:morning|week|month|year)|last (?:night|week|weekend|month|year|${weekday})|on ${weekday}|(?:\\d{1,3}|an?|two|three|four|five|six|a few|a couple of) (?:day|week|month|year)s? ago|the day before yesterday`,
  ja: `昨日|一昨日|おととい|昨夜|今日|今朝|先週末?|今週|先月|今月|去年|昨年|一昨年|${count}(?:日|週間|[かヶカ]月|年)前`,
};
const us = {
  zh: "我们|咱们?|咱俩|群里|大家|我[和跟]你|你[和跟]我",
  en: "we|you and i|people|everyone|everybody|you all|the group",
  ja: "グループ|みんな|私たち|僕たち|僕ら|俺たち|二人",
};
/** "who talked about pizza last week": the time is no word of the message. */
const endsInTime = new RegExp(`\\s(?:${when.en})\\s?[?.!]?$`);
/** Messages that are shown of a time. */
const maxOfTime = 10;

/** 「搜一下聊天记录里的海马体」「谁提到过海马体」「我们上次什么时候聊过海马体」 */
const search: Rule = {
  kind: "look",
  forms: [
    new RegExp(
      `^(?:${seeks})(?:在|从)?${named}(?:里|中|里面|聊)(?:的|有没有|关于|提到|说过)*(?<what>(?!的)[^\\n]{1,60}?)(?:的(?:内容|消息|话|记录))?[。！!?？]?$`,
    ),
    /^(?:search|look|grep)(?: in| through)? (?:the )?(?<chat>(?!chat\b|our\b|my\b)[^\n?]{1,30}?) (?:group|chat) (?:for|about) (?<what>[^\n]{1,60}?)[.!?]?$/,
    new RegExp(
      `(?:搜|查|找|翻)(?:一?下|一翻|查|索|找|一搜|一找|翻)*\\s?(?:在|从)?(?:我们的?|群里?的?|${named}里?的?)?${log}(?:里|中|里面|当中)?(?:有没有|关于|提到|说过|的|有|里)*(?<what>[^\\n]{1,60}?)(?:的(?:内容|消息|话|记录|部分))?[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:在|从)?(?:我们的?|群里?的?)?${log}(?:里|中|里面)?(?:搜|查|找|翻)(?:一?下|索|找|一搜)*(?<what>[^\\n]{1,60}?)[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:在|从)?(?:我们的?|群里?的?)?${log}(?:里|中|里面)?(?:有没有|有)(?:人)?(?:提到|说到|说过|聊到|聊过|关于|出现)?(?<what>[^\\n]{1,60}?)(?:吗|没)?[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:都)?(?:有)?(?:没有)?(?:谁|人)(?:在)?(?:${before})?(?:都|曾经?)?${speaks}过${meant}(?<what>[^\\n]{1,60}?)(?:吗|没有?|来着|的事)*[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:(?:${seeks})(?:${before}){0,3}|(?:${before}){1,3})(?:都)?(?:有没有|是不是有|有)?(?:谁|人)(?:都|曾经?)?${speaks}(?:过|了)?(?!的|我不|不)${meant}(?<what>[^\\n]{1,60}?)(?:吗|没有?|来着|的事)*[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:${seeks})\\s?(?:我们|咱们?|大家)?(?:${before}){1,3}(?:我们|咱们?|大家|我)?${speaks}(?:过|了)?的?(?<what>[^\\n]{1,60}?)(?:的?(?:事|话|内容|消息|记录))?[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:${seeks})\\s?(?:${us.zh}|我)(?:${before}){0,2}(?:都)?${speaks}过的?(?<what>[^\\n]{1,60}?)(?:的?(?:事|话|内容|消息|记录))?[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:我们|咱们?|咱俩|大家|群里)(?:${before})?(?:都|曾经?)?(?:有没有${speaks}过(?<what>[^\\n]{1,60}?)(?:的事|的话题)?(?:吗|来着)?|${speaks}过(?<thing>[^\\n]{1,60}?)(?:的事|的话题)?(?:吗|没有?))[。！!?？]?$`,
    ),
    /(?:search|look|grep|dig)(?: through| in| up in| into)? (?:the |our |my )?(?:chat ?log|chat history|old messages|message history|chat)s? (?:for|about) (?<what>[^\n]{1,60}?)[.!?]?$/,
    /^(?:find|search for|search) (?<what>[^\n]{1,60}?) in (?:the |our |my )?(?:chat ?log|chat history|old messages|message history)[.!?]?$/,
    /^(?:(?:find(?: out)?|search(?: for)?|look up|check|see) )?who (?:has |had )?(?:ever |last )?(?:mentioned|talked about|brought up|said something about|was talking about) (?<what>[^\n]{1,60}?)\??$/,
    /^(?:find(?: out)?|search(?: for)?|look up|check|see) who said (?:that |they |he |she |would |will |were |was |had |to )*(?<what>[^\n]{1,60}?)\??$/,
    /^(?:did|has|have) (?:anyone|anybody|someone|somebody|we|they|people) (?:ever |all |already )?(?:mention(?:ed)?|talk(?:ed)? about|discuss(?:ed)?|sa(?:y|id) (?:anything|something) about|br(?:ing|ought) up) (?<what>[^\n]{1,60}?)\??$/,
    /(?:チャット(?:履歴|ログ)|会話履歴|履歴|過去ログ)(?:で|から|の中で|の中から)(?<what>[^\n]{1,40}?)(?:を|について)?(?:検索|探して|調べて)/,
    new RegExp(
      `^(?:(?:${when.ja})(?:に|は|、)?)?誰[がか](?<what>[^\\n]{1,40}?)(?:の話|のこと|について)(?:を)?(?:し|話|言っ)(?:て|た|ま)`,
    ),
    /^誰[がか](?<what>[^\n]{1,40}?)(?:の話|のこと|について)?(?:を|に|って|と)?(?:話し|言っ|言及し|触れ)/,
    /^(?<what>[^\n]{1,40}?)(?:の話|のこと|について)(?:を|って)?(?:した|話した|話し合った)こと(?:が|は|って)?(?:ある|あった|あり)/,
  ],
  read: (form) => searchFor(form),
};

/** 「小红什么时候说过要结婚」, "has Bob said anything about the party", 「我有没有说过喜欢猫」 */
const saidBy: Rule = {
  kind: "look",
  forms: [
    new RegExp(
      `^(?<who>${nobody}[^\\s，。！？]{1,12}?)(?:是)?(?:什么时候|啥时候|哪天|何时)${speaks}(?:过|的|了)${meant}(?<what>[^\\n]{1,60}?)(?:的|来着)?[。！!?？]?$`,
    ),
    new RegExp(
      `^(?<who>${nobody}[^\\s，。！？]{1,12}?)${speaks}过?${meant}(?<what>[^\\n]{1,60}?)(?:的那次)?是(?:在)?(?:什么时候|啥时候|哪天|何时)[。！!?？]?$`,
    ),
    new RegExp(
      `^(?<who>我|${nobody}[^\\s，。！？]{1,12}?)(?:以前|之前)?有没有${speaks}过(?:我)?${meant}(?<what>[^\\n]{1,60}?)(?:的事)?(?:吗|来着)?[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:${before}){0,2}(?<who>我)(?:${before}){0,2}${speaks}过(?:我)?${meant}(?<what>[^\\n]{1,60}?)(?:的事)?(?:吗|没有?)[。！!?？]?$`,
    ),
    /^(?:did|has|have) (?<who>(?!you\b|we\b|he\b|she\b|they\b|it\b|anyone\b|anybody\b|someone\b|somebody\b|people\b)[^\s?]{1,30}) (?:ever |already )?(?:mention(?:ed)?|talk(?:ed)? about|sa(?:y|id) (?:anything|something) about) (?<what>[^\n]{1,60}?)\??$/,
    /^when did (?<who>(?!you\b|we\b|he\b|she\b|they\b|it\b)[^\s?]{1,30}) (?:last )?(?:mention|talk about|say something about) (?<what>[^\n]{1,60}?)\??$/,
    /^(?<who>(?!誰|何)[^\s、。？]{1,12}?)(?:さん|くん|ちゃん)?(?:は|が)(?<what>[^\n]{1,40}?)(?:の話|のこと|について)(?:を)?(?:し|話し)たのは?いつ/,
  ],
  read: (form) => searchFor(form, "logLast", form.part("who").replace(/^i$/i, "me")),
};

const last: Rule = {
  kind: "look",
  forms: [
    /^(?:我们|咱们?|咱俩|我跟你|我和你)?(?:上次|上一次|最近一次|最后一次|之前|以前)?(?:是)?(?:什么时候|啥时候|哪天|何时)(?:上次|最后)?(?:聊|说|谈|讨论|提|讲)(?:过|起过|到过|到|起|的|了)(?<what>[^\n]{1,60}?)(?:的事|来着|的)?[。！!?？]?$/,
    /^(?:我们|咱们?|咱俩)(?:上次|上一次|最近一次|最后一次)(?:聊|说|谈|讨论|提|讲)(?:过|起过|到过|到|起)?(?<what>[^\n]{1,60}?)(?:是)?(?:什么时候|啥时候|哪天|何时)[。！!?？]?$/,
    /^when did we (?:last )?(?:talk|speak|chat) about (?<what>[^\n]{1,60}?)(?: last| the last time)?\??$|^when (?:was the last time|did) we (?:discussed?|mentioned?) (?<thing>[^\n]{1,60}?)(?: last)?\??$/,
    /^(?:この前|前に|最後に)?(?<what>[^\n]{1,40}?)(?:の話|について|のこと)(?:を)?(?:最後に|前に)?(?:話した|した)のは?いつ/,
    /^いつ(?<what>[^\n]{1,40}?)(?:の話|について|のこと)(?:を)?(?:した|話した)/,
  ],
  read: (form) => searchFor(form, "logLast"),
};

function searchFor(form: Found, head: "logFound" | "logLast" = "logFound", person?: string): Wish | undefined {
  const said = form.part("what") || form.part("thing");
  const words = takeOffCourtesies(
    said
      .replace(/^(?:关于|有关|“|「)/, "")
      .replace(/(?:”|」|吗)$/, "")
      .replace(endsInTime, ""),
  );
  if (words === "" || /^[，。、,]|^(?:什么|啥|这个|我|你|它|的|that|it|so|this)$|什么时候|哪天/i.test(words))
    return undefined;
  const chat = form.part("chat");
  return searchLog(words, head, {
    ...(chat !== "" && { chat }),
    ...(person !== undefined && { target_person: person }),
  });
}

/** Searches the log for some words and shows what was found. */
export function searchLog(
  words: string,
  head: "logFound" | "logInstead" | "logLast",
  limits: { readonly chat?: string; readonly target_person?: string } = {},
): Call {
  return call("search_by_keywords", { keywords: [words], ...limits, max_results: 20 }, ([report]) => {
    const hits = report?.result.ok === true ? found.safeParse(report.result.output) : undefined;
    if (hits?.success !== true) return undefined;
    const numbers = hits.data.line_numbers.slice(0, head === "logLast" ? 1 : maxShown);
    if (numbers.length === 0) return say(head === "logInstead" ? "logNoneInstead" : "logNone", { words });
    const counts = { count: hits.data.total_matches, shown: numbers.length };
    const heading = head === "logLast" ? say("logLast") : say(head, counts);
    return { ...call("load_messages", { line_numbers: numbers, include_metadata: true }), heading };
  });
}

/** 「刚才我说什么来着」 */
const own: Rule = {
  kind: "ask",
  forms: [
    new RegExp(`^我(?:${when.zh})(?:都)?(?:说|讲)(?:了|过)(?:些)?(?:什么|啥)`),
    /^(?:刚才|刚刚|之前|上一句)(?:我|咱)(?:都)?说了?(?:些|过)?(?:什么|啥)|^我(?:刚才|刚刚|之前|上一句)(?:都)?说(?:了|过|的)?(?:些|是)?(?:什么|啥)/,
    /^what did i (?:just |last )?say\b|^what was i (?:just )?saying\b/,
    /^(?:さっき|今)(?:私|僕|俺)?(?:は|が)?(?:何て|何を|なんて)(?:言った|話した)/,
  ],
  read: () => readPerson("我"),
};

/** 「小红说过什么」「老王昨天说了什么」 */
const person: Rule = {
  kind: "ask",
  forms: [
    new RegExp(
      `^(?:${when.zh}|刚才|刚刚|最近|上次|之前)?(?<who>${nobody}[^\\s，。！？]{1,12}?)(?:${when.zh}|最近|刚才|刚刚|上次|之前)?(?:都)?(?:说|讲|聊)(?:过|了)(?:些)?(?:什么|啥)`,
    ),
    /^what did (?<who>(?!i\b|you\b|we\b|he\b|she\b|they\b|it\b)[^\s?]{1,30}) (?:just )?say\b/,
    /^(?<who>(?!私|僕|俺|誰|何|昨日|今日|先週|今週|先月|今月|みんな)[^\s、。？]{1,12}?)(?:さん)?(?:は|が)(?:何を|何て|なんて)(?:言って|言った|話した)/,
  ],
  read: (form) => readPerson(form.part("who")),
};

function readPerson(name: string): Wish {
  const asked = call("search_person", { person: name, include_context: false, limit: maxShown });
  return { ...asked, heading: say("logPerson") };
}

/** 「上周我们聊过什么」「昨天群里聊了什么」: what was said in that time and in no other. */
const then: Rule = {
  kind: "look",
  forms: [
    new RegExp(
      `^(?:${us.zh})?(?:在)?(?<when>${when.zh})(?:的时候)?(?:${us.zh})?(?:都|在|到底|究竟)*(?:聊|说|谈|讨论)(?:过|了|的|起)?(?:些|是)?(?:什么|啥|哪些)`,
    ),
    new RegExp(
      `^what (?:did|have|had|was|were|all did) ?(?:${us.en})?(?: all)? ?(?:been )?(?:talk|talked|talking|chat|chatted|speak|spoken|discuss|discussed|discussing|say|said)(?: about)?(?: in (?:the|this|our) (?:group|chat))? (?<when>${when.en})(?: in (?:the|this|our) (?:group|chat))?\\s?[?.!]?$`,
    ),
    new RegExp(
      `^(?:${us.ja})?(?:は|で)?(?<when>${when.ja})(?:に|は|の|、)?(?:${us.ja})?(?:は|で|と)?(?:(?:何を?|なにを?|何について)(?:話|しゃべ)|(?:何の|どんな|なんの)話を?(?:し|話))`,
    ),
  ],
  read: (form) => ({
    ...call("search_semantic", { query: form.part("when"), top_k: maxOfTime }),
    heading: say("logThen"),
  }),
};

/** 「火锅群最近在聊什么」 */
const topics: Rule = {
  kind: "look",
  forms: [
    /^(?:(?:(?<chat>(?!我们|咱|大家|这|那|本)[^\s，。！？]{1,12}群)|[^\s，。！？]{0,12}群)(?:里|聊)?|我们|咱们?|大家)(?:最近|这几天|这阵子)(?:都|在|经常)*(?:聊|说|谈|讨论)了?(?:些)?(?:什么|啥)/,
    /^what (?:do we|have we been|are we) (?:usually |mostly )?talk(?:ing)? about\b/,
    /^最近(?:は)?(?:グループで)?(?:何の話|どんな話)/,
  ],
  read: (form) => call("list_topics", { limit: 10, ...(form.part("chat") !== "" && { chat: form.part("chat") }) }),
};

const stats: Rule = {
  kind: "look",
  forms: [
    new RegExp(
      `^(?:我们的?|群里?的?)?${log}(?:里|中|里面)?(?:一共|总共|共)?有?(?:多少|几)(?:条|句|个)?(?:消息|话|记录)?`,
    ),
    /^how many messages\b/,
    /^(?:チャット(?:履歴|ログ)|メッセージ)(?:は|が)(?:全部で)?(?:何件|いくつ)/,
  ],
  read: () => call("get_chatlog_stats"),
};

/** Before those of a group that was missed. */
export const chatLogRules: readonly Rule[] = [stats, own, then, topics, search, saidBy, last, person];
