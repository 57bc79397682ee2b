import type { EditorWords } from "./zh.ts";

export const editor: EditorWords = {
  save: "Save",
  back: "Undo changes",
  sureBack: "Throw away what is not saved?",
  leave: "Your changes are not saved and will be lost. Leave?",
  masked:
    "The file holds a secret, which is hidden here, or something that is no text, so it cannot be changed here. Put secrets into .env and write ${NAME} in the file.",
  waits: (keys) => `Saved; takes effect after a restart: ${keys.join(", ")}`,
  unwritable: (reason) => `The file cannot be written: ${reason}`,
  conflict: "The file was changed after you opened it",
  theirs: "The file now",
  mine: "Your text",
  keepMine: "Keep mine and go on",
  takeTheirs: "Take the file, drop mine",
  states: {
    unsaved: "Not saved",
    checking: "Checking…",
    sound: "No faults, ready to save",
    faulty: "Faults; not saved",
    saving: "Saving…",
    "in-force": "In force",
    "saved-refused": "Saved, but there are faults elsewhere: the earlier configuration stays in force",
    locked: "A locked key was changed; not saved",
    secret: "The text holds a secret; not saved. Put it into .env and write ${NAME} here",
    lost: "No connection; not saved. Your text is still here",
    "signed-out": "You are signed out; not saved. Sign in in another tab, then save here",
  },
  changed: "changed",
};
