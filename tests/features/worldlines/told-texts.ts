import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { correction, help, list, receipt } = reasons;

export const told: Readonly<Record<string, ToldText>> = {
  ownerOnly: tell("denied", "features/worldlines/worldline-commands.ts"),
  notYours: tell("denied", "features/worldlines/worldline-commands.ts"),
  othersQuestion: tell("denied", "features/worldlines/worldline-commands.ts"),
  busy: tell("failed", "features/worldlines/worldline-commands.ts"),
};

export const plain: Readonly<Record<string, string>> = {
  menu: help,
  dmailMenu: help,
  here: list,
  noPoints: list,
  title: list,
  earlier: list,
  othersHeading: list,
  usage: help,
  dmailUsage: help,
  sent: receipt,
  moved: receipt,
  where: receipt,
  alreadyThere: receipt,
  noSuchPoint: correction,
  noSuchLine: correction,
  answerWord: correction,
};
