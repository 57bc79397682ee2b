import { reasons, type ToldText } from "../../support/told-text.ts";

const { machine, within } = reasons;

export const told: Readonly<Record<string, ToldText>> = {};

export const plain: Readonly<Record<string, string>> = {
  "": machine,
  overheard: within,
};
