export const keyboard = {
  open: "键盘",
  title: "键盘快捷键",
  on: "单个字母的键有效",
  keys: [
    [["g", "t"], "去「今天」"],
    [["g", "c"], "去「对话」"],
    [["g", "h"], "去「她」"],
    [["g", "a"], "去「能力」"],
    [["g", "s"], "去「系统」"],
    [["j", "k"], "下一条、上一条"],
    [["y", "n"], "在选中的卡片上：确认、取消"],
    [["p"], "在选中的卡片上：先看看会怎样"],
    [["/"], "搜索对话"],
    [["Ctrl", "S"], "保存正在改的文件"],
    [["Esc"], "关上"],
    [["?"], "这张表"],
  ] as readonly (readonly [keys: readonly string[], what: string])[],
};

export const notices = {
  on: "桌面通知：开",
  off: "桌面通知：关",
  refused: "桌面通知：浏览器不许",
};

export const deletion = {
  open: "删掉这个对话…",
  what: "这里说过的话、过程和文件都会删掉，找不回来；对话本身留着，是空的。她记住的事和提醒还在。",
  typeName: (name: string) => `要删就输入名字：${name}`,
  yes: "删掉",
  no: "不删了",
  busy: "她在这里还有事：先停下这一轮，或者回答完再删。",
  failed: "没删成，再试一次。",
};
