import { type ToldText } from "../../support/told-text.ts";

export const told: Readonly<Record<string, ToldText>> = {};

export const plain: Readonly<Record<string, string>> = {
  "": "receipts and lists of what is kept, with the words kept byte by byte",
};
