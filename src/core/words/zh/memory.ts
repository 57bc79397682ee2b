import { erasure } from "./erasure.ts";
/** 记忆：工具和命令的固定文字。 */
export const memory = {
  erasure,
  forgetAll: "把关于你的一切都忘掉：记住的事、聊天记录里你的话和它们的索引。找不回来。",
  /** 聊天记录排版：放不下的条数。 */
  messagesLeftOut: (count: number) => `（还有 ${count} 条没列出来）`,
  none: "关于你，我还什么都没记。说「记住我喜欢猫」，或者 /remember 我喜欢猫。",
  heading: (count: number) => `我记着的（${count}）：`,
  item: (one: {
    readonly id: number;
    readonly day: string;
    readonly pinned: boolean;
    readonly foreign: boolean;
    readonly text: string;
  }) => `#${one.id} ${one.text}（${one.day}${one.pinned ? "，常记" : ""}${one.foreign ? "，不全是你自己的话" : ""}）`,
  kept: (one: { readonly id: number; readonly text: string }) => `记住了：${one.text}（#${one.id}）`,
  changed: (one: { readonly id: number; readonly text: string }) =>
    `改成：${one.text}（#${one.id}）。原来的在 /memory history ${one.id}`,
  known: (one: { readonly id: number; readonly text: string }) => `这个早就记着了：${one.text}（#${one.id}）`,
  refused: {
    empty: "要记什么？/remember 我喜欢猫",
    "too-long": "太长了，用一句话说：/remember 我喜欢猫",
    "too-many": "记得太多了，先忘掉一些：/forget 编号",
    secret: "这看着像密码或密钥，我不记。放进密码管理器。",
  },
  unknown: (which: string) => `没有 ${which} 这一条，/memory 看编号。`,
  nothingLike: (words: string) => `按字面没找到和「${words}」有关的。换个说法，或者看 /memory。`,
  which: "是哪一条？/forget 加编号：",
  forgotten: (count: number) => (count > 1 ? `忘掉了，连旧的说法一共 ${count} 条。` : "忘掉了。"),
  /** 忘掉之后：说着同一件事、还留着的。 */
  stay: "还记着说到同样的话的这几条：",
  /** 忘掉的卡片：连旧的说法一起。 */
  withOlder: ({ memory, older }: { readonly memory: string; readonly older: readonly string[] }) =>
    `${memory}（连同旧的说法：${older.join("；")}）`,
  pinned: (text: string) => `一直记在心上：${text}`,
  unpinned: (text: string) => `不特别记了：${text}`,
  origin: {
    said: "你聊天时自己说的，我记下了。",
    tool: "聊天时我觉得该记，就记下了。",
    extracted: "聊完以后我从你的话里整理的。",
    command: "你让我记的。",
  },
  quote: (one: { readonly when: string; readonly text: string }) => `原话（${one.when}）：「${one.text}」`,
  before: (one: { readonly until: string; readonly text: string }) => `之前是：${one.text}（到 ${one.until}）`,
  events: {
    remembered: "记下",
    confirmed: "又说了一次",
    superseded: "被新的代替",
    pinned: "设为常记",
    unpinned: "取消常记",
    forgotten: "忘掉",
  },
  usage:
    "用法：/memory，/memory why 编号，/memory search 词，/memory pin 编号，/memory unpin 编号，/memory history 编号。",
  rememberUsage: "这样写：/remember 我对花生过敏",
  forgetUsage: "用法：/forget 编号，/forget 几个词，/forget all（关于你的一切）。编号看 /memory。",
  orderForgetAll: "把关于我的一切都忘掉",
} as const;
