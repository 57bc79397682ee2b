import { call, takeOffCourtesies } from "../rule.ts";
import type { Found, Rule, Wish } from "../rule.ts";

/** How people call kinds of files, and the pattern of their names. */
const fileKinds: readonly (readonly [words: string, pattern: string])[] = [
  ["markdown|md|マークダウン", "*.md"],
  ["python|py|パイソン", "*.py"],
  ["typescript|ts", "*.ts"],
  ["javascript|js", "*.js"],
  ["文本|text|txt|テキスト", "*.txt"],
  ["图片|照片|图像|圖片|images?|pictures?|photos?|画像|写真|png|jpg", "*.{png,jpg,jpeg,gif,webp}"],
  ["表格|excel|xlsx|spreadsheets?|エクセル", "*.{xlsx,xls,csv}"],
  ["日志|日誌|logs?|ログ", "*.log"],
  ["脚本|shell|sh|シェル", "*.sh"],
  ["csv", "*.csv"],
  ["json", "*.json"],
  ["pdf", "*.pdf"],
  ["html|网页", "*.html"],
  ["ya?ml", "*.{yaml,yml}"],
  ["视频|videos?|動画", "*.{mp4,mkv,mov,webm}"],
  ["音频|音乐|music|audio|音楽", "*.{mp3,wav,flac,ogg,m4a}"],
];
const kinds = fileKinds.map(([words]) => words).join("|");
/** Kinds that are called so without the word "file". */
const seen = "图片|照片|圖片|images?|pictures?|photos?|画像|写真|视频|videos?|動画|音频|脚本|日志";
const kind = `(?:(?<kind>${kinds})\\s*(?:格式|类型)?的?\\s*(?:文件|檔案|files?|documents?|scripts?|ファイル)|(?<seen>${seen}))`;

const folder = "(?<folder>F|[\\w./~-]+)";

const count: Rule = {
  kind: "look",
  forms: [
    /F.{0,8}(?:多少|几|幾|何)\s*行/,
    /how many lines.{0,30}F/,
    /(?:行数|line count|number of lines|数一下行).{0,12}F|F.{0,6}行数/,
  ],
  read: (found) => readFile(found, "fileLines"),
};

const list: Rule = {
  kind: "look",
  forms: [
    new RegExp(
      `${folder}\\s*(?:文件夹|目录|資料夾|フォルダー?|ディレクトリ)?\\s*(?:下面|下|里面|里头|里|中)\\s*(?:都|现在)?(?:有|存|放)了?(?:些|哪些|什么|啥)`,
    ),
    new RegExp(`${folder}\\s*(?:フォルダー?|ディレクトリ)?の(?:中身|中)(?!を?(?:探|検索))`),
    new RegExp(`${folder}\\s*(?:に|には)(?:何が|どんな)`),
    new RegExp(
      `^(?:list|show(?: me)?|display|see|what(?:'s|s| is| are)?|ls)\\b.{0,30}\\b(?:in|inside|under|of) (?:the |my )?${folder}(?: folder| directory)?$`,
    ),
    new RegExp(`(?:看看|看一下|看|列出|列一下)\\s*${folder}\\s*(?:文件夹|目录)`),
    /(?:有|存|放)了?(?:哪些|什么|啥|些什么)(?:文件|东西|檔案)|(?:哪些|什么)文件(?!里|中|有|包含)|文件(?:列表|清单)|(?:所有|全部)的?文件(?:都)?(?:列|显示|看)/,
    /(?:列|显示|看看|看一下|看下)(?:一下|出|下|所有|全部|当前|现在|我|的|里|工作区|目录|都)*(?:文件|目录|檔案)(?!里|中|大小|夹)/,
    /(?:工作区|当前目录|目录|文件夹|这里|这儿|资料夹)(?:下面|下|里面|里头|里|中)?(?:都|现在)*(?:有|存)了?(?:些|哪些|什么|啥)/,
    /^(?:list|show(?: me)?|display|see|give me)\b.{0,20}\b(?:files|everything|documents|contents|directory|folder)\b/,
    /^(?:what|which|any)\b.{0,12}\bfiles\b(?! (?:contain|mention|have|include))|^what(?:'s|s| is)? (?:in|inside) (?:here|(?:my|the) (?:workspace|folder|directory))/,
    /ファイル(?:の|を)?(?:一覧|リスト|全部見せ)|(?:どんな|何の|どういう)ファイル|ファイルは?何が/,
  ],
  read(found) {
    const written = found.part("folder");
    if (/weather|forecast|temperature|news|population|capital/.test(found.words)) return undefined;
    if (/^(?:here|there|it|my|files?|folder|directory|workspace|everything|this)$/i.test(written))
      return call("glob", { pattern: "*" });
    const path = written.replace(/(?<=.)\/$/, "");
    if (path === "" && /\.[a-z]\w*$/i.test(found.named("F") ?? "")) return undefined;
    // 「notes.txt 里有什么」 asks for its content.
    if (/\.[a-z]\w*$/i.test(path)) return undefined;
    return call("glob", { pattern: "*", ...(path !== "" && { path }) });
  },
};

const findKind: Rule = {
  kind: "look",
  forms: [
    new RegExp(
      `(?:找|搜|列|有没有|有哪些|哪些|所有|全部|几个).{0,10}?${kind}|${kind}.{0,4}(?:找出来|列出来|有哪些|有没有|在哪)`,
    ),
    new RegExp(
      `(?:find|list|show|any|all|which|where|search|are there|do i have)\\b.{0,24}?(?<![a-z])${kind}(?![a-z])`,
    ),
    new RegExp(`${kind}.{0,6}(?:探|一覧|ある|見せ|どこ|全部)`),
  ],
  read(found) {
    const words = (found.part("kind") || found.part("seen")).toLowerCase();
    const pattern = fileKinds.find(([names]) => new RegExp(`^(?:${names})$`).test(words))?.[1];
    return pattern === undefined ? undefined : call("glob", { pattern });
  },
};

const findName: Rule = {
  kind: "look",
  forms: [
    /(?:名字|文件名|名称)(?:里面|里|中)?(?:带|有|含|包含)有?\s*(?<part>Q|[^\s，。的]+)/,
    /\bfiles? (?:with|containing) (?<part>Q|\S+) in (?:the|its|their) names?|\bfiles? (?:named|called) (?:like )?(?<part2>Q|\S+)/,
    /(?:名前|ファイル名)に\s*(?<part>Q|[^\sをがの]+?)\s*(?:が|を)(?:含|入|付)/,
    /(?:找|搜)(?:一下|一找|到|出|所有的?|全部的?)*\s*F(?!里|中|文件里)|F\s*(?:文件)?(?:在哪|放哪|在什么地方|跑哪)/,
    /^(?:find|locate|where(?:'s|s| is| are)?)\b[^FQ]{0,20}F/,
    /F\s*(?:は|って)?(?:どこ|どこに)|F\s*を(?:探|見つけ)/,
  ],
  read(found) {
    const part = found.part("part") || found.part("part2");
    const file = found.named("F");
    if (part !== "") return call("glob", { pattern: part.includes("*") ? part : `*${part}*` });
    return file === undefined ? undefined : call("glob", { pattern: file });
  },
};

const search: Rule = {
  kind: "look",
  forms: [
    /(?:哪些|哪个|什么|找.{0,6})(?:文件|地方)(?:里面|里|中)?(?:写|提|出现|包含|含|有)(?:有|到|了|过|着)?\s*(?<what>Q|[^，。？?]+)/,
    /(?:哪里|哪儿)(?:写|提|出现|用|有)(?:有|到|了|过)?\s*(?<what>Q|[^，。？?]+)/,
    /(?:在|从)?\s*(?<where>F|所有文件|全部文件|文件|工作区|[\w./-]+)\s*(?:文件夹|目录)?(?:里面|里|中)\s*(?:搜索|搜|查找|查|找)(?:一下|一搜|下|出)?\s*(?<what>Q|[^，。？?]+)/,
    /(?<where>F)\s*(?:里面|里|中)?\s*(?:有没有|是否有|是不是有|有提到)\s*(?<what>Q|[^，。？?]+)/,
    /^(?:which|what) files? (?:contains?|mentions?|have|has|includes?)\s+(?<what>Q|[^?]+)/,
    /^(?:find|show(?: me)?|list) (?:all )?(?:the |my )?files? (?:with|containing|that (?:contain|mention|have|say)) (?<what>Q|(?!.* in (?:the|its|their) names?)[^?]+?)(?: in (?:it|them))?[?. ]*$/,
    /^(?:search|look|grep|find)(?: for)? (?<what>Q|[^?]+?) (?:in|inside|within) (?:all |the |my )*(?<where>files|workspace|documents|F|[\w./-]+)(?: folder| directory)?[?. ]*$/,
    /^(?:search|look through|grep) (?:all |the |my )*(?<where>files|workspace|F) for (?<what>Q|[^?]+)/,
    /(?<what>Q|[^\s、。「]+?)\s*(?:と書いてある|って書いてある|が書いてある|と書かれた|を含む|が含まれる|が入ってる|が出てくる)\s*ファイル/,
    /どのファイルに\s*(?<what>Q|[^\s、。]+?)\s*(?:が|は|って|と)(?:ある|書|入|出)/,
    /(?<where>F|ファイル|[\w./-]+)\s*(?:の中)?(?:で|から)\s*(?<what>Q|[^、。]+?)\s*を(?:探|検索)/,
  ],
  read(found) {
    const what = takeOffCourtesies(found.part("what")).replace(/(?:这个词|这几个字|吗|的文件|的)$/, "");
    if (what === "" || /^(?:什么|啥|哪些)/.test(what)) return undefined;
    const where =
      /^(?:(?:all |the |my )*files|documents|workspace|所有文件|全部文件|文件|工作区|ファイル|web|internet|online)$/i.test(
        found.part("where"),
      )
        ? ""
        : found.part("where");
    if (/web|internet|online|google/i.test(found.part("where"))) return undefined;
    const pattern = what.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    return call("grep", { pattern, ...(where !== "" && { path: where }) });
  },
};

const send: Rule = {
  kind: "act",
  forms: [
    /(?:发|传|送)(?:送|给我|过来|一下|个|文件|一份|我|\s)*F|F[^，。]{0,8}(?:发|传|送)(?:给我|过来|我|一份|一下|出来|到|给|$)|下载\s*F|F.{0,3}下载/,
    /^(?:send|give|share|download|upload|attach|pass)\b[^F]{0,30}F|^(?:send|give) (?:it|that|them)\b/,
    /F[^。]{0,8}(?:送っ|送り|送付|ダウンロード)|F\s*を?\s*(?:ください|ちょうだい|くれ)/,
  ],
  read: (found) => onFile(found, (path) => call("send_file", { path })),
};

const remove: Rule = {
  kind: "act",
  forms: [
    /(?:删除|删掉|删了|删|移除|扔掉|清掉|干掉)(?:一下|了|这个|那个|文件|旧的|掉|\s)*F|F[^，。]{0,10}(?:删|移除|扔掉|扔了|清掉)|^(?:删掉|删了|删除)(?:它|吧|了)*$/,
    /^(?:delete|remove|erase|trash|get rid of|throw away|rm)\b[^F]{0,30}F|^(?:delete|remove) (?:it|that)\b/,
    /F\s*(?:というファイル)?[をは、も]?\s*(?:消して|消しといて|消しちゃって|削除し?て?|捨てて)(?!しま|い[たるな]|る|た)/,
  ],
  read: (found) => onFile(found, (path) => call("file_delete", { path })),
};

const readRule: Rule = {
  kind: "look",
  forms: [
    /(?:读取|读出|读|讀|念念|念|查看|看看|看一下|看一看|看下|瞧瞧|看|打开|打開|显示|瞅瞅|翻翻|cat)[^，。F]{0,10}F/,
    /F[^，。]{0,10}?(?:读|念|打开|显示|看一下|看看|看下|给我看|让我看|内容|有什么|有啥|都有什么|写了|写的|讲了|说了|是什么)/,
    /^(?:read|open|view|display|show|print|cat|see|check|look(?:ing)? at|have a look|take a look|let me see|give me|tell me what|what(?:'s|s| is| does| do))\b[^F]{0,40}F/,
    /F[^。]{0,14}(?:読んで|読め|読みたい|見せ|見て|見たい|開い|開け|表示|中身|内容|何が書|何て書|教えて)/,
  ],
  read: (found) => readFile(found),
};

function onFile(found: Found, make: (path: string) => Wish): Wish | undefined {
  const path = found.named("F");
  return path === undefined || path.includes("*") || path.endsWith("/") ? undefined : make(path);
}

function readFile(found: Found, key?: "fileLines"): Wish | undefined {
  const path = found.named("F");
  if (path === undefined) return undefined;
  if (path.endsWith("/") || /^\/[\w/-]*$/.test(path))
    return call("glob", { pattern: "*", path: path.replace(/(?<=.)\/$/, "") });
  if (path.includes("*")) return call("glob", { pattern: path });
  return call(
    "file_read",
    { path },
    key === undefined
      ? undefined
      : ([report]) => {
          const lines = report?.result.ok === true ? Object(report.result.output).total_lines : undefined;
          return typeof lines === "number" ? { kind: "say", key, values: { path, lines } } : undefined;
        },
  );
}

/** 「*.py」 on its own names a kind. */
const pattern: Rule = {
  kind: "look",
  forms: [/(?:找|列|有|find|list|show|which|any|all|探|一覧|ls).{0,20}F|F.{0,8}(?:探|一覧|ある|有哪些)/],
  read(found) {
    const name = found.named("F");
    return name?.includes("*") === true ? call("glob", { pattern: name }) : undefined;
  },
};

export const fileRules: readonly Rule[] = [pattern, count, search, findKind, findName, send, remove, list, readRule];
