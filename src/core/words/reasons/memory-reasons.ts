import type { ReasonWords } from "./reason-words.ts";

/** Reasons of the tools of memory and the chat log. */
export const memoryReasons: readonly ReasonWords[] = [
  ["That cannot be done from here.", "在这里办不到。", "ここではできない。"],
  [
    "That cannot be done from here: the person asks for it in their own chat.",
    "在这里办不到，要本人在自己的聊天里说。",
    "ここではできない。本人が自分のチャットで言って。",
  ],
  [
    "This person has no memory with that id here; list_memories shows the ids.",
    "这里没有这个编号的记忆。",
    "その番号の記憶はここにはない。",
  ],
  ["Give content: what is to be remembered, in one sentence.", "没说要记住什么。", "何を覚えるのか書かれていない。"],
  [
    "That is too long: at most {} characters of content, {} of key, {} of value. Say it in fewer words.",
    "太长了：内容最多 {} 个字，`key` 最多 {} 个，`value` 最多 {} 个。",
    "長すぎる：内容は {} 文字、`key` は {} 文字、`value` は {} 文字まで。",
  ],
  [
    "This person has {} memories, which is the most. Ask which ones to forget (list_memories, forget).",
    "已经记了 {} 件，满了。先忘掉几件才能再记。",
    "もう {} 件覚えていて、いっぱい。いくつか忘れてからでないと覚えられない。",
  ],
  [
    "That looks like a password or a key, and such things are never remembered. Tell the person to keep it in a password manager.",
    "这像是密码或密钥，这种我不记。请放进密码管理器。",
    "パスワードか鍵のように見える。そういうものは覚えない。パスワード管理ソフトに入れて。",
  ],
  [
    "Nothing is set: the time zone of {} is not known. Write the time with its offset from UTC, or ask the person for a big city of that zone.",
    "什么都没定：不知道 `{}` 的时区。",
    "何も設定していない：`{}` のタイムゾーンがわからない。",
  ],
  [
    "Guests have no memory here; an owner has to let them in first.",
    "访客在这里没有记忆，要管理员先放行。",
    "ゲストの記憶はここにはない。先に管理者の許可がいる。",
  ],
  [
    "None of these messages is in the chats that this person may look into; search for numbers first.",
    "能看的聊天里没有这几条消息。",
    "見てよいチャットにこれらのメッセージはない。",
  ],
  [
    "Guests may not look into the chat log; an owner has to let them in first.",
    "访客不能看聊天记录，要管理员先放行。",
    "ゲストはチャット履歴を見られない。先に管理者の許可がいる。",
  ],
  [
    "Nobody's memories are there over MCP; the operator names a person as served.person in memory.yaml.",
    "没有设定给其他程序看谁的记忆（`memory.yaml` 的 `served.person`）。",
    "ほかのプログラムに誰の記憶を見せるか決まっていない（`memory.yaml` の `served.person`）。",
  ],
  [
    "Nobody's chats are shown over MCP; the operator names a person as served.person in memory.yaml.",
    "没有设定给其他程序看谁的聊天（`memory.yaml` 的 `served.person`）。",
    "ほかのプログラムに誰のチャットを見せるか決まっていない（`memory.yaml` の `served.person`）。",
  ],
  [
    'Nobody called "{}" has said anything in the chats that this person may look into; get_chatlog_stats lists who has.',
    "能看的聊天里，没有叫 `{}` 的人说过话。",
    "見てよいチャットで `{}` という人は何も言っていない。",
  ],
  [
    "Not found by words; meanings were not compared, so the same in another language or in other words may be there. list_memories shows all: look there by what is meant, else say that it was not found by words.",
    "按字面没找到；没有比意思，换种语言或换个说法记着的可能还在。",
    "言葉では見つからない。意味は比べていないので、別の言語や言い方では残っているかもしれない。",
  ],
  [
    'No chat that this person may look into is called "{}"; get_chatlog_stats lists their names. Leave chat out to look into all.',
    "能看的聊天里，没有叫 `{}` 的。",
    "見てよいチャットに `{}` という名前のものはない。",
  ],
  [
    "Several people are called that: {}. Name one of them with the # and what follows.",
    "叫这个名字的不止一个：`{}`。带上 # 和后面的部分再说一次。",
    "その名前の人は何人かいる：`{}`。# とその後ろも付けて言って。",
  ],
];
