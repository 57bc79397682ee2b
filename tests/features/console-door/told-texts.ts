import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { help, pairing } = reasons;
const answers = "features/console-door/answer-console.ts";

export const told: Readonly<Record<string, ToldText>> = {
  notHere: tell("denied", answers),
  privateOnly: tell("privately", answers),
  closed: tell("denied", answers),
  notListening: tell("failed", answers),
};

export const plain: Readonly<Record<string, string>> = {
  menus: help,
  atTerminal: help,
  closedByYou: help,
  at: pairing,
  noAddress: help,
  code: pairing,
};
