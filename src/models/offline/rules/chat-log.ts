import { z } from "zod";
import { call, say, takeOffCourtesies } from "../rule.ts";
import type { Found, Rule, Wish } from "../rule.ts";

const found = z.object({ line_numbers: z.array(z.number()), total_matches: z.number() });
/** Messages that are shown of a search. */
const mostShown = 5;

const log = "(?:聊天记录|聊天历史|历史消息|历史记录|消息记录|以前的(?:聊天|消息|话)|之前的(?:聊天|消息))";

/** 「搜一下聊天记录里的海马体」「谁提到过海马体」「我们上次什么时候聊过海马体」 */
const search: Rule = {
  kind: "look",
  forms: [
    new RegExp(
      `(?:搜|查|找|翻)(?:一?下|一翻|查|索|找|一搜|一找|翻)*(?:在|从)?(?:我们的?|群里?的?)?${log}(?:里|中|里面|当中)?(?:有没有|关于|提到|说过|的|有|里)*(?<what>[^\\n]{1,60}?)(?:的(?:内容|消息|话|记录|部分))?[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:在|从)?(?:我们的?|群里?的?)?${log}(?:里|中|里面)?(?:搜|查|找|翻)(?:一?下|索|找|一搜)*(?<what>[^\\n]{1,60}?)[。！!?？]?$`,
    ),
    new RegExp(
      `^(?:在|从)?(?:我们的?|群里?的?)?${log}(?:里|中|里面)?(?:有没有|有)(?:人)?(?:提到|说到|说过|聊到|聊过|关于|出现)?(?<what>[^\\n]{1,60}?)(?:吗|没)?[。！!?？]?$`,
    ),
    /^(?:都)?(?:有)?谁(?:都)?(?:提到|提起|说到|说起|聊到|聊起|讲到|谈到|提|说|聊|讲|谈)过(?<what>[^\n]{1,60}?)(?:吗|来着|的事)?[。！!?？]?$/,
    /(?:search|look|grep|dig)(?: through| in| up in| into)? (?:the |our |my )?(?:chat ?log|chat history|old messages|message history|chat)s? (?:for|about) (?<what>[^\n]{1,60}?)[.!?]?$/,
    /^(?:find|search for|search) (?<what>[^\n]{1,60}?) in (?:the |our |my )?(?:chat ?log|chat history|old messages|message history)[.!?]?$/,
    /^who (?:has )?(?:ever )?(?:mentioned|talked about|brought up|said something about) (?<what>[^\n]{1,60}?)\??$/,
    /(?:チャット(?:履歴|ログ)|会話履歴|履歴|過去ログ)(?:で|から|の中で|の中から)(?<what>[^\n]{1,40}?)(?:を|について)?(?:検索|探して|調べて)/,
    /^誰が(?<what>[^\n]{1,40}?)(?:の話|のこと|について)?(?:を)?(?:話し|言っ|言及し)/,
  ],
  read: (form) => searchFor(form, (words) => (form.part("what") === "" ? undefined : words)),
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
  read: (form) => searchFor(form, (words) => words, "logLast"),
};

function searchFor(
  form: Found,
  accept: (words: string) => string | undefined,
  head: "logFound" | "logLast" = "logFound",
): Wish | undefined {
  const said = form.part("what") || form.part("thing");
  const words = accept(takeOffCourtesies(said.replace(/^(?:关于|有关|“|「)/, "").replace(/(?:”|」|吗)$/, "")));
  if (words === undefined || words === "" || /^(?:什么|啥|这个|我|你|它)$/.test(words)) return undefined;
  return call("search_by_keywords", { keywords: [words], max_results: 20 }, ([report]) => {
    const hits = report?.result.ok === true ? found.safeParse(report.result.output) : undefined;
    if (hits?.success !== true) return undefined;
    const numbers = hits.data.line_numbers.slice(0, head === "logLast" ? 1 : mostShown);
    if (numbers.length === 0) return say("logNone", { words });
    const counts = { count: hits.data.total_matches, shown: numbers.length };
    const heading = head === "logLast" ? say("logLast") : say("logFound", counts);
    return { ...call("load_messages", { line_numbers: numbers, include_metadata: true }), heading };
  });
}

/** 「刚才我说什么来着」 */
const own: Rule = {
  kind: "ask",
  forms: [
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
    /^(?<who>(?!我|你|咱|他|她|它|大家|谁|群|这|那|有人|什么|怎么|为)[^\s，。！？]{1,12}?)(?:昨天|前天|今天|上周|最近|刚才|刚刚|上次|之前)?(?:都)?(?:说|讲|聊)(?:过|了)(?:些)?(?:什么|啥)/,
    /^what did (?<who>(?!i\b|you\b|we\b|he\b|she\b|they\b|it\b)[^\s?]{1,30}) (?:just )?say\b/,
    /^(?<who>(?!私|僕|俺|誰|何)[^\s、。？]{1,12}?)(?:さん)?(?:は|が)(?:何を|何て|なんて)(?:言って|言った|話した)/,
  ],
  read: (form) => readPerson(form.part("who")),
};

function readPerson(name: string): Wish {
  const asked = call("search_person", { person: name, include_context: false, limit: mostShown });
  return { ...asked, heading: say("logPerson") };
}

/** 「上周我们聊过什么」「上周群里聊了什么」 */
const then: Rule = {
  kind: "look",
  forms: [
    /^(?:我们|咱们?|咱俩|群里)?(?<when>昨天|前天|前几天|大前天|上周.?|上个?星期.?|上个?月|去年|那天)(?:的时候)?(?:我们|咱们?|咱俩|群里)?(?:都)?(?:聊|说|谈|讨论)(?:过|了|的)?(?:些|是)?(?:什么|啥)/,
    /^what did we (?:talk|chat|speak) about (?<when>yesterday|last (?:week|month|year|night))/,
    /^(?<when>昨日|おととい|先週|先月|去年)(?:は|、)?(?:私たち|僕たち)?(?:は)?(?:何を|何の話を|どんな話を)(?:話し|し)/,
  ],
  read: (form) => ({
    ...call("search_semantic", { query: form.words, top_k: mostShown }),
    heading: say("logNear"),
  }),
};

/** 「火锅群最近在聊什么」 */
const topics: Rule = {
  kind: "look",
  forms: [
    /^(?:[^\s，。！？]{0,12}群(?:里|聊)?|我们|咱们?|大家)(?:最近|这几天|这阵子)(?:都|在|经常)*(?:聊|说|谈|讨论)了?(?:些)?(?:什么|啥)/,
    /^what (?:do we|have we been|are we) (?:usually |mostly )?talk(?:ing)? about\b/,
    /^最近(?:は)?(?:グループで)?(?:何の話|どんな話)/,
  ],
  read: () => call("list_topics", { limit: 10 }),
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
export const chatLogRules: readonly Rule[] = [stats, own, then, topics, search, last, person];
