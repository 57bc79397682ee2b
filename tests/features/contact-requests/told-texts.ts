import { reasons, type ToldText } from "../../support/told-text.ts";

const { help, machine } = reasons;

export const told: Readonly<Record<string, ToldText>> = {};

export const plain: Readonly<Record<string, string>> = {
  "": machine,
  menus: help,
};
