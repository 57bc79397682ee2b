import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { help } = reasons;

export const told: Readonly<Record<string, ToldText>> = {
  privateOnly: tell("privately", "features/account-links/link-commands.ts"),
};

export const plain: Readonly<Record<string, string>> = {
  "": "codes and steps of linking accounts",
  menus: help,
};
