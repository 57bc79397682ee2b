import { reasons, type ToldText } from "../../support/told-text.ts";

const { list, model, within } = reasons;

export const told: Readonly<Record<string, ToldText>> = {};

export const plain: Readonly<Record<string, string>> = {
  "": model,
  site: list,
  title: list,
  toGroup: within,
  toChat: within,
};
