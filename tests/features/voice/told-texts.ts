import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { help, model, receipt, within } = reasons;

export const told: Readonly<Record<string, ToldText>> = {
  refusal: tell("failed", "kernel/turns/refuse-voice.ts"),
};

export const plain: Readonly<Record<string, string>> = {
  notHere: help,
  noEndpoint: help,
  on: receipt,
  auto: receipt,
  off: receipt,
  usage: help,
  failed: within,
  menu: help,
  note: model,
  unheard: within,
};
