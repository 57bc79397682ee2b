import { reasons, type ToldText } from "../../support/told-text.ts";

const { correction, help, model } = reasons;

export const told: Readonly<Record<string, ToldText>> = {};

export const plain: Readonly<Record<string, string>> = {
  "": help,
  "missed.notHeard": correction,
  "missed.order": model,
  "missed.orderHours": model,
  messagesLeftOut: "receipts and lists of what is kept, with the words kept byte by byte",
};
