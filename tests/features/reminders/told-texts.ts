import { reasons, tell, type ToldText } from "../../support/told-text.ts";

const { help, machine, receipt, skipped, within } = reasons;

export const told: Readonly<Record<string, ToldText>> = {
  "due.broken": tell("failed", "features/reminders/reminder-clock.ts", "broken"),
};

export const plain: Readonly<Record<string, string>> = {
  "": "receipts and lists of reminders, with times",
  menus: help,
  due: within,
  "due.stillAsking": skipped,
  "due.stillWorking": skipped,
  "due.overOwn": skipped,
  "due.overAll": skipped,
  "due.lostAccess": machine,
  "due.quietHours": receipt,
};
