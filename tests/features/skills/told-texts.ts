import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { help, list, within } = reasons;

export const told: Readonly<Record<string, ToldText>> = {
  ownerOnly: tell("denied", "features/skills/choose-skills.ts"),
};

export const plain: Readonly<Record<string, string>> = {
  "": within,
  menus: help,
  servers: list,
  heading: list,
  none: list,
  missingHeading: list,
  ready: list,
  active: list,
  off: list,
  missing: list,
  untrusted: list,
  waiting: list,
  disabled: list,
  asksFirst: list,
  unknown: list,
  turnedOn: list,
  turnedOnForeign: list,
  turnedOnMissing: list,
  turnedOff: list,
  auto: list,
  usage: list,
};
