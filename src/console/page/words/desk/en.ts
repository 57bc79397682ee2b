import type { keyboard as zhKeyboard, notices as zhNotices } from "./zh.ts";

export const keyboard: typeof zhKeyboard = {
  open: "Keyboard",
  title: "Keyboard shortcuts",
  on: "Single letters act",
  keys: [
    [["g", "t"], "Go to Today"],
    [["g", "c"], "Go to Chats"],
    [["g", "h"], "Go to Her"],
    [["g", "a"], "Go to Abilities"],
    [["g", "s"], "Go to System"],
    [["j", "k"], "Next and previous row"],
    [["y", "n"], "On the card in focus: confirm, cancel"],
    [["p"], "On the card in focus: preview"],
    [["/"], "Search the chats"],
    [["Ctrl", "S"], "Save the file that is open"],
    [["Esc"], "Close"],
    [["?"], "This list"],
  ],
};

export const notices: typeof zhNotices = {
  on: "Desktop notices: on",
  off: "Desktop notices: off",
  refused: "Desktop notices: refused by the browser",
};
