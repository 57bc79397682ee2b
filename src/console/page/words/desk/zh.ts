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
