import { type ToldText } from "../../support/told-text.ts";

export const told: Readonly<Record<string, ToldText>> = {};

export const plain: Readonly<Record<string, string>> = {
  "": "the report of a preview: numbers, files, differences",
};
