import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { correction, help, receipt } = reasons;

export const told: Readonly<Record<string, ToldText>> = {
  exportMeInPrivate: tell("privately", "features/export/export-conversation.ts"),
  exportNotYours: tell("denied", "features/export/export-conversation.ts"),
};

export const plain: Readonly<Record<string, string>> = {
  "": help,
  exportMeTooLarge: correction,
  exportNotHere: correction,
  exportedMe: receipt,
  exportEmpty: receipt,
  exported: receipt,
};
