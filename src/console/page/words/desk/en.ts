import type { deletion as zhDeletion, keyboard as zhKeyboard, notices as zhNotices } from "./zh.ts";

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

export const deletion: typeof zhDeletion = {
  open: "Delete this chat…",
  what: "All that was said here, its steps and its files are deleted for good; the chat itself stays, empty. Her memories and the reminders stay.",
  typeName: (name) => `Type its name to delete it: ${name}`,
  yes: "Delete",
  no: "Keep it",
  busy: "She is busy here: stop the turn or answer its question first.",
  failed: "That did not work. Try again.",
};
