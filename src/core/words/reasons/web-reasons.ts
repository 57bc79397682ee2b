import type { ReasonWords } from "./reason-words.ts";

/** Reasons of web pages and searches. */
export const webReasons: readonly ReasonWords[] = [
  ["The address is too long; give a shorter one.", "地址太长了。", "アドレスが長すぎる。"],
  [
    "This is not an address; write it like https://example.com/page.",
    "这不是网址，要写成 `https://example.com/page` 这样。",
    "アドレスではない。`https://example.com/page` のように書いて。",
  ],
  [
    "Only addresses that start with http:// or https:// can be opened.",
    "只能打开 `http://` 或 `https://` 开头的网址。",
    "`http://` か `https://` で始まるものしか開けない。",
  ],
  [
    "{} is not among the hosts this tool may read: {}.",
    "`{}` 不在这个工具能读的网站里：{}。",
    "`{}` はこのツールが読めるサイトに入っていない：{}。",
  ],
  [
    "Addresses with a user name or password in them are not opened; leave that part out.",
    "带用户名密码的网址不打开。",
    "ユーザー名やパスワード入りのアドレスは開かない。",
  ],
  [
    "Port {} is not a port of web pages; only {} can be opened.",
    "{} 不是网页的端口，只开 {}。",
    "{} はウェブのポートではない。開けるのは {}。",
  ],
  [
    "{} is a name inside a private network; only public sites can be opened.",
    "`{}` 是内网的，只开公网的网站。",
    "`{}` は内部ネットワーク。公開サイトしか開かない。",
  ],
  [
    "With a proxy, too, names are looked up here, so that no proxy can lead to a private address: this machine needs a DNS that knows public names.",
    "走代理时域名也在这台机器上查，免得代理把人带进内网：这台机器要有能查公网域名的 DNS。",
    "プロキシ経由でも名前はこのマシンで引く。プロキシが内部アドレスへ導けないようにするため。公開の名前を引ける DNS が必要。",
  ],
  [
    "{} led to an address that is not public; it cannot be opened.",
    "`{}` 指向的不是公网地址，不打开。",
    "`{}` は公開のアドレスではないので開かない。",
  ],
  [
    "{} is not a public site, or port {} is not one of web pages; it cannot be opened.",
    "`{}` 不是公网的网站，不打开。",
    "`{}` は公開サイトではないので開かない。",
  ],
  [
    "{} has no address; check the name.",
    "`{}` 解析不到地址，看看名字对不对。",
    "`{}` のアドレスが見つからない。名前を確認して。",
  ],
  ["{} was not found ({}); check the name.", "找不到 `{}`，看看名字对不对。", "`{}` が見つからない。名前を確認して。"],
  ["The address redirects more than {} times.", "跳转超过 {} 次，不跟了。", "リダイレクトが {} 回を超えた。"],
  ["The page redirects to another address. {~}", "页面跳到别处去了。{~}", "別のアドレスに飛ばされた。{~}"],
  [
    "The site did not answer within {} s; try again or another one.",
    "{} 秒内网站没有回应。",
    "{} 秒以内にサイトが応答しなかった。",
  ],
  ["The site could not be read: {}.", "网站读不了：`{}`", "サイトを読めない：`{}`"],
  ["The page took longer than {} s.", "页面超过 {} 秒没打开。", "ページが {} 秒以内に開かなかった。"],
  ["The page could not be opened: {}", "页面打不开：`{}`", "ページを開けない：`{}`"],
  ["The page could not be read; name a target.", "页面读不出来。", "ページを読めない。"],
  ["The page could not be turned into {}; ask for format raw.", "页面转不成 `{}`。", "ページを `{}` に変換できない。"],
  [
    "This is {}, not text; fetch reads web pages, JSON and plain text only. Look for a page about it instead.",
    "那是 `{}`，不是文字，读不了。",
    "それは `{}` で、文章ではないので読めない。",
  ],
  [
    "No search engine is set: SEARXNG_URL, TAVILY_API_KEY or BRAVE_API_KEY (docs/tools.md).",
    "还没设搜索引擎，要管理员设置 `SEARXNG_URL`、`TAVILY_API_KEY` 或 `BRAVE_API_KEY`。",
    "検索エンジンが未設定。管理者が `SEARXNG_URL`、`TAVILY_API_KEY`、`BRAVE_API_KEY` のどれかを設定する。",
  ],
  ["No search engine is set.", "还没设搜索引擎。", "検索エンジンが未設定。"],
  ["The search failed. {}", "没搜成：`{}`", "検索できなかった：`{}`"],
  [
    "No Chromium is on this machine: install it (Debian: apt install chromium fonts-noto-cjk), or name it in tools.yaml: tools.browser.executable.",
    "这台机器上没有 Chromium，要管理员装。",
    "この機械に Chromium がない。管理者に入れてもらって。",
  ],
  [
    "The browser runs in a container. {} Or let it run on this machine, where a page that breaks out of it reaches everything: tools.browser.host: true in tools.yaml.",
    "浏览器只在容器里跑，现在没有能用的沙箱，要管理员看看 `doctor`。",
    "ブラウザーはコンテナの中だけで動くのに、使えるサンドボックスがない。管理者に `doctor` を見てもらって。",
  ],
  [
    "The container engine has no image {} for the browser. Build it: {}. Or let it run on this machine, where a page that breaks out of it reaches everything: tools.browser.host: true in tools.yaml.",
    "浏览器的镜像 `{}` 还没有，要管理员构建：`{}`。",
    "ブラウザー用のイメージ `{}` がない。管理者に `{}` で作ってもらって。",
  ],
  ["Step {} ({}) failed: {}", "第 {} 步（`{}`）没成：`{}`", "{} 番目（`{}`）が失敗：`{}`"],
  ["{} answered {}.", "`{}` 回的是 {}。", "`{}` の答えは {}。"],
  ["{} answered {}, but no JSON.", "`{}` 回了 {}，但不是 JSON。", "`{}` の答えは {} で、JSON ではない。"],
];
