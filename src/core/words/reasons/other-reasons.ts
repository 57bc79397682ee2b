import type { ReasonWords } from "./reason-words.ts";

/** Reasons of time, lists, sub-agents, skills and MCP servers; what those say themselves stays theirs. */
export const otherReasons: readonly ReasonWords[] = [
  [
    '"{}" is not a moment; write it like 2026-11-22T18:30, 2026-11-22 or 18:30.',
    "`{}` 不是时间，写成 `2026-11-22 18:30` 这样。",
    "`{}` は日時ではない。`2026-11-22 18:30` のように。",
  ],
  [
    '"{}" is not a length of time; write it like 3h, -2d, 1h30m, 1mo or P1DT2H.',
    "`{}` 不是时长，写成 `3h`、`-2d` 这样。",
    "`{}` は時間の長さではない。`3h`、`-2d` のように。",
  ],
  [
    "Only years 1 to 9999 can be told; use a nearer date.",
    "只能算公元 1 到 9999 年。",
    "西暦 1〜9999 年しか計算できない。",
  ],
  [
    "Guests may look at the list but not change it; ask somebody the owner has let in.",
    "访客能看待办，不能改。",
    "ゲストはリストを見るだけで、変えられない。",
  ],
  ["Give text: what the person is to be reminded of.", "没说要提醒什么。", "何を知らせるのかが書いていない。"],
  [
    "No reminder with that id is waiting; list_reminders shows the ids.",
    "没有这个编号的提醒。",
    "その番号のリマインダーはない。",
  ],
  [
    "That reminder is somebody else's. Only an owner may change it, with others=true, and is asked first.",
    "那是别人的提醒，只有管理员能动，而且要先确认。",
    "それはほかの人のリマインダー。変えられるのはオーナーだけで、先に確認がいる。",
  ],
  [
    "Give exactly one of at, every and cron (at with every = the first time).",
    "时间只能有一个说法。",
    "時間の指定は一つだけ。",
  ],
  [
    '"{}" names no time that can be read; write ISO 8601 such as {}.',
    "`{}` 看不出是什么时间。",
    "`{}` からは時間が読み取れない。",
  ],
  [
    "{} is over; it is {} now. Take a later time, or ask which one they mean.",
    "`{}` 已经过了，现在是 `{}`。",
    "`{}` はもう過ぎている。今は `{}`。",
  ],
  [
    "Nothing is set: ask the person whether they mean {} or {}.",
    "还没定：是 `{}` 还是 `{}`？",
    "まだ決めていない：`{}` か `{}` か。",
  ],
  [
    "Nothing is set: ask the person when exactly, in how many minutes or at what hour.",
    "还没定：到底什么时候？",
    "まだ決めていない：正確にはいつ。",
  ],
  ["Nothing is set: ask the person at what hour.", "还没定：几点？", "まだ決めていない：何時。"],
  [
    "Nothing is set: dates of the lunar calendar are not taken. Ask for the date of the solar calendar.",
    "还没定：农历我算不了，给我公历的日子。",
    "まだ決めていない：旧暦は扱えない。新暦の日付で。",
  ],
  [
    "Nothing is set: that is more than one time. Set one reminder for each; ask if the hours are not clear.",
    "还没定：这不止一个时间，要一个一个来。",
    "まだ決めていない：時間が一つではない。一つずつ。",
  ],
  [
    "Nothing is set: a part of that time is not understood, such as when it begins or ends, what is left out, or the first Monday of a month. Write cron if it can say all of it, else ask for something simpler.",
    "还没定：这个时间没有全看懂，换个简单的说法。",
    "まだ決めていない：その時間は全部は読み取れない。もっと簡単に。",
  ],
  [
    "Nothing is set: that is a stretch of time. Ask the person at which hour to remind them, or take its beginning if they said so.",
    "还没定：这是一段时间，到几点提醒？",
    "まだ決めていない：幅のある時間だ。何時に知らせるか。",
  ],
  [
    "Nothing is set: a week, a month or a year is named without a day. Ask on which day and at what hour.",
    "还没定：哪一天、几点？",
    "まだ決めていない：何日の何時か。",
  ],
  [
    "Nothing is set: there is no such day or hour. Ask which one they mean.",
    "还没定：没有这一天，或者没有这个钟点。",
    "まだ決めていない：そんな日や時刻はない。",
  ],
  [
    "Guests cannot set reminders; ask somebody the owner has let in.",
    "访客不能设提醒。",
    "ゲストはリマインダーを作れない。",
  ],
  [
    "This person has {} reminders, which is the most; cancel one first (cancel_reminder).",
    "提醒已经有 {} 个，满了，先取消一个。",
    "リマインダーはもう {} 件で、いっぱい。先にどれか取り消して。",
  ],
  [
    "That is too often: at least {} between two times.",
    "太密了，两次之间至少隔 {}。",
    "間隔が短すぎる。少なくとも {} は空けて。",
  ],
  ["All its times are over; take a later one.", "这些时间都过了。", "その時間は全部過ぎている。"],
  [
    "There is a private chat only: nobody else has said anything here.",
    "这里是私聊，没有别人说话。",
    "ここは個人チャットで、ほかに誰も話していない。",
  ],
  [
    "Guests may not ask for this; an owner has to let them in first.",
    "访客不能问这个，要管理员先放进来。",
    "ゲストには答えられない。管理者が先に入れること。",
  ],
  ["No sub-agent is set in config/agents.", "没有设置可以派出去的人。", "送り出せるサブエージェントがない。"],
  ["There is no sub-agent {}. There are: {}.", "没有 `{}` 可派，有的是 {}。", "`{}` はいない。いるのは {}。"],
  ["What the sub-agent did is not known.", "派出去的做了什么不清楚。", "送り出した先が何をしたかわからない。"],
  ["The turn has ended.", "这一轮已经结束了。", "この回はもう終わっている。"],
  [
    "A sub-agent cannot start another one. Do it yourself.",
    "派出去的不能再派人。",
    "送り出された者はさらに送り出せない。",
  ],
  [
    "A report starts nothing new. Tell the person what came of it and ask whether to go on.",
    "报告结果的时候不再开新的。",
    "報告の中では新しく始めない。",
  ],
  [
    "{} sub-agents are at work already. Wait until one of them has ended.",
    "已经派出去 {} 个了，等一个回来再说。",
    "もう {} 人送り出している。誰か戻るまで待って。",
  ],
  [
    "This did not run: it came in one round with dmail, which must be alone. Nothing of the round ran.",
    "D-Mail 要单独发，这一轮什么都没执行。",
    "D メールは単独で送る。この回は何も実行していない。",
  ],
  [
    "The {} D-Mails of this turn are used up. Go on with what you have.",
    "这一轮的 {} 封 D-Mail 用完了。",
    "この回の D メール {} 通は使い切った。",
  ],
  ["There is no checkpoint {} in this turn. There are: {}.", "没有第 {} 个检查点。", "{} 番のチェックポイントはない。"],
  ["There is no skill {}.", "没有 `{}` 这个技能。", "`{}` というスキルはない。"],
  [
    "There is no skill {} to read here; find_skill tells which there are.",
    "这里没有 `{}` 这个技能可读。",
    "ここに読める `{}` というスキルはない。",
  ],
  [
    "{} is not loaded; find_tool loads it.",
    "`{}` 还没载入，先用 find_tool 找。",
    "`{}` はまだ読み込まれていない。find_tool で探す。",
  ],
  [
    "No tool of a server fits these words. Try others: a verb and a thing, in English.",
    "没有哪个服务器的工具对得上这些词。换几个英文词试试：一个动词，一样东西。",
    "この言葉に合うサーバーのツールはない。英語の動詞と物の名で試して。",
  ],
  ["The skill {} is not there any more.", "`{}` 这个技能已经不在了。", "`{}` というスキルはもうない。"],
  [
    "The skill {} is switched off in this chat; people switch it on with /skills on {}.",
    "技能 `{}` 在这个聊天里关着，`/skills on {}` 打开。",
    "スキル `{}` はこのチャットでは切ってある。`/skills on {}` で入る。",
  ],
  [
    "The skill {} is not trusted here; the owner can say /skills on {}.",
    "技能 `{}` 在这里还没被信任，管理员可以发 `/skills on {}`。",
    "スキル `{}` はここではまだ信頼されていない。管理者は `/skills on {}`。",
  ],
  [
    "The skill {} cannot be used: missing {}. Say so; do not act as if it could.",
    "技能 `{}` 用不了，缺 `{}`。",
    "スキル `{}` は使えない。足りないもの：`{}`。",
  ],
  [
    "The server {} has no tool {} any more; nothing was called.",
    "服务器 `{}` 已经没有 `{}` 了，什么都没调用。",
    "サーバー `{}` に `{}` はもうない。何も呼んでいない。",
  ],
  ["The server {} has no tool {} any more.", "服务器 `{}` 已经没有 `{}` 了。", "サーバー `{}` に `{}` はもうない。"],
  [
    "The server {} cannot be reached: {}. Nothing was called.",
    "服务器 `{}` 连不上（`{}`），什么都没调用。",
    "サーバー `{}` につながらない（`{}`）。何も呼んでいない。",
  ],
  [
    "The server {} wants its owner to log in: /mcp login {}. Nothing was called.",
    "服务器 `{}` 要管理员先登录：`/mcp login {}`。什么都没调用。",
    "サーバー `{}` は管理者のログインが必要：`/mcp login {}`。何も呼んでいない。",
  ],
  [
    "There is no MCP server {} with resources or prompts; there are: {}.",
    "没有 `{}` 这个能读的 MCP 服务器。",
    "読める MCP サーバー `{}` はない。",
  ],
  [
    "No MCP server with resources or prompts is there to read from: they stand in config/mcp.json, and one of a skill can be read once that was used.",
    "没有可以读的 MCP 服务器。",
    "読める MCP サーバーがない。",
  ],
  ['The card "{}" {}.', "角色卡 `{}` 不能用：`{}`。", "カード `{}` は使えない：`{}`。"],
  ['The card "{}" is refused: {}.', "角色卡 `{}` 不能用：`{}`。", "カード `{}` は使えない：`{}`。"],
  [
    'The card "{}" gives no sound persona: {}.',
    "角色卡 `{}` 做不成人格：`{}`。",
    "カード `{}` からペルソナを作れない：`{}`。",
  ],
  ['The card "{}" has no instructions.', "角色卡 `{}` 没有自己的指令。", "カード `{}` には自身の指示がない。"],
  [
    'The card "{}" is the persona {} already; /persona chooses it.',
    "角色卡 `{}` 已经是人格 `{}` 了，用 `/persona` 选它。",
    "カード `{}` はもうペルソナ `{}` になっている。`/persona` で選べる。",
  ],
  [
    '"{}" is not the card that the owner was shown any more; ask once more.',
    "`{}` 已经不是给你看过的那张卡了，再发一次。",
    "`{}` は見せたカードと違うものになった。もう一度送って。",
  ],
  [
    "The card's own instructions are too long to be shown whole in a question; the owner can take them at the terminal: {}.",
    "卡片自己的指令太长，没法在问题里全部给你看；可以在终端导入：`{}`。",
    "カード自身の指示は長すぎて質問で全部見せられない。端末で取り込める：`{}`。",
  ],
  [
    "The entries of the card's lorebook that are always on are too long to be shown in a question; the owner can import it at the terminal: {}.",
    "卡片的世界书里一直生效的条目太长，没法在问题里给你看；可以在终端导入：`{}`。",
    "カードのロアブックのうち常に有効な項目が長すぎて質問で見せられない。端末で取り込める：`{}`。",
  ],
  ["The server says that it went wrong.", "服务器说出错了。", "サーバーがうまくいかなかったと言っている。"],
  [
    "It may or may not have happened. Tell the person so, and do not call it again by yourself.",
    "可能做了，也可能没做，我没有再调用。",
    "済んだかどうかわからない。呼び直してはいない。",
  ],
];
