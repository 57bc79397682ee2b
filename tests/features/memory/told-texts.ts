import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { help } = reasons;

export const told: Readonly<Record<string, ToldText>> = {
  "preferences.privateOnly": tell("privately", "features/memory/preference-commands.ts"),
};

export const plain: Readonly<Record<string, string>> = {
  "": "receipts and lists of what is kept, with the words kept byte by byte",
  menus: help,
  preferences: "receipts and lists of preferences",
};
