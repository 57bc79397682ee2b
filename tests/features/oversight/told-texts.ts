import { reasons, type ToldText } from "../../support/told-text.ts";

const { help, list, machine } = reasons;

export const told: Readonly<Record<string, ToldText>> = {};

export const plain: Readonly<Record<string, string>> = {
  "": list,
  menus: help,
  noTools: machine,
  toolsLeftOut: machine,
  configuration: machine,
};
