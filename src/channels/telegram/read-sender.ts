import type { Sender } from "../types.ts";
import { readId, readLabel, readRecord, readText, type JsonRecord } from "../json-view.ts";

/** Telegram's own accounts that speak for others: an anonymous admin, a channel, a linked channel. */
const standIns = new Set(["1087968824", "136817688", "777000"]);

/** The author of a message. A chat that speaks (`sender_chat`) is never a person, whatever `from` says. */
export function readSender(message: JsonRecord): Sender {
  const senderChat = readRecord(message["sender_chat"]);
  if (senderChat !== undefined) return readChatSender(senderChat);
  const user = readRecord(message["from"]);
  return user === undefined ? readChatSender(readRecord(message["chat"]) ?? {}) : readUser(user);
}

export function readUser(user: JsonRecord): Sender {
  const id = readId(user["id"]) ?? "0";
  const fullName = readLabel([user["first_name"], user["last_name"]].map((part) => readText(part) ?? "").join(" "));
  const name = fullName || readLabel(user["username"]) || id;
  const locale = readLabel(user["language_code"], 20);
  return { id, name, kind: readKind(id, user), ...(locale === "" ? {} : { locale }) };
}

function readKind(id: string, user: JsonRecord): Sender["kind"] {
  if (id === "0" || standIns.has(id)) return "anonymous";
  return user["is_bot"] === true ? "bot" : "person";
}

function readChatSender(chat: JsonRecord): Sender {
  const id = readId(chat["id"]) ?? "0";
  return { id, name: readLabel(chat["title"]) || readLabel(chat["username"]) || id, kind: "anonymous" };
}
