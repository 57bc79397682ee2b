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
    return call("load_messages", { line_numbers: numbers, include_metadata: true });
  });
}

export const chatLogRules: readonly Rule[] = [search, last];
