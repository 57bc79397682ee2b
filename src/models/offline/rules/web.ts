import { call, takeOffCourtesies } from "../rule.ts";
import { searchLog } from "./chat-log.ts";
import type { Rule } from "../rule.ts";

const picture: Rule = {
  kind: "look",
  forms: [
    /截图|截圖|截个?图|截屏|拍一张|长什么样|screenshot|picture of|screen ?shot|what does U look like|スクショ|スクリーンショット|画面を撮/,
  ],
  read(found) {
    const url = found.named("U");
    return url === undefined ? undefined : call("screenshot", { url });
  },
};

const open: Rule = {
  kind: "look",
  forms: [
    /^\s*U\s*$/,
    /(?:打开|看看|看一下|看下|看|读|抓|取|访问|总结|概括|翻译|讲|说|写|介绍|什么|内容|fetch|获取|下载|打開).{0,24}U|U.{0,24}(?:打开|看|读|讲|说|写|总结|概括|什么|内容|是啥)/,
    /^(?:open|read|fetch|get|visit|load|show|see|check|summari[sz]e|sum up|tell me|look at|what(?:'s|s| is| does)|go to|browse)\b.{0,60}U/,
    /U.{0,16}(?:開い|見て|見せ|読|要約|まとめ|教え|何が|中身|内容)/,
  ],
  read(found) {
    const url = found.named("U");
    return url === undefined ? undefined : call("fetch", { url });
  },
};

/** Questions about the world of today have no rule, only a search. */
const news: Rule = {
  kind: "look",
  forms: [
    /(?<query>.{0,40}(?:天气|气温|下雨吗|天氣|新闻|头条|股价|汇率走势|weather|forecast|temperature outside|news|headlines|天気|気温|ニュース|株価).{0,40})/,
  ],
  read(found) {
    const query = cleanQuery(found.part("query"));
    const asks =
      /怎么样|如何|多少|吗|呢|什么|查|看|今天|明天|今日|明日|现在|最新|[?？]|what|how|show|tell|will|today|tomorrow|latest|は$|教えて|どう/i;
    return asks.test(query) && !/^我|^i\b|真好|不错|いいね/i.test(query)
      ? call("web_search", { query: cleanQuery(query) })
      : undefined;
  },
};

const search: Rule = {
  kind: "look",
  forms: [
    /^(?:在)?(?:网上|上网|百度|谷歌|google|必应)?\s*(?:搜索|搜一下|搜一搜|搜搜|搜下|搜|查一下|查一查|查查|查下|查询|查|百度|谷歌|找找)(?:一下|下|看)*(?:关于|有关|网上|网络)?\s*[:：]?\s*(?<query>Q|.+)/,
    /^(?:search(?: the (?:web|internet)| online)?(?: for| about)?|google(?: for)?|look up|bing|find out(?: about)?|research)\s+(?<query>Q|.+)/,
    /^(?<query>Q|.{1,100}?)\s*(?:について|を|で)\s*(?:ネットで)?(?:検索|調べ|ググ)(?:し|て|っ)/,
  ],
  read(found) {
    const query = cleanQuery(found.part("query"));
    if (query === "" || ofChats.test(query) || /^(?:F|它|这个|那个|it|this|that|them)$/.test(query)) return undefined;
    const wish = call("web_search", { query });
    return namesWeb.test(found.words) ? wish : { ...wish, otherwise: searchLog(query, "logInstead") };
  },
};

/** A request that names the web is never answered from the chat log. */
const namesWeb = /网|百度|谷歌|必应|google|bing|\b(?:web|internet|online)\b|ネット|ググ/;

/** Words spoken among people are in the chat log and on no page. */
const ofChats =
  /^(?:我们的?|群里?的?|大家的?)?(?:聊天(?:记录|历史)|历史消息|消息记录)|^(?:the |our |my )?chat ?(?:log|history)|^(?:チャット(?:履歴|ログ)|会話履歴)/i;

const cleanQuery = (text: string): string =>
  takeOffCourtesies(text.slice(0, 300))
    .replace(/(?:的信息|的资料|呢|吗)$/, "")
    .replace(/^(?:for|about|on)\s+/i, "")
    .replace(/は$/, "")
    .trim();

export const webRules: readonly Rule[] = [picture, open, news, search];
