import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { help, list } = reasons;

export const told: Readonly<Record<string, ToldText>> = {
  ownerOnly: tell("denied", "features/mcp/mcp-command.ts"),
};

export const plain: Readonly<Record<string, string>> = {
  "": "the pages of an owner about MCP servers, and their questions in their own words",
  menus: help,
  login: "the steps of a login, with addresses",
  ofSkill: list,
};
