import { listTokens, type Phrase } from "../../../store/search/tokenise.ts";

/** From a private area of Unicode, which no text's tokens come from. */
const chatMark = "\u{e000}";
const senderMark = "\u{e001}";
const longMark = "\u{e002}";

/** The words of a message for SQLite's index: its tokens, after one of its chat and one of its sender. */
export function toLogWords(...columns: readonly unknown[]): string {
  const [text, chat, sender] = columns as readonly [string, number, number];
  return `${chatMark}${chat} ${senderMark}${sender} ${listTokens(text).join(" ")}`;
}

/** A question to the index: every one of `all`, and one of `any` unless that is empty. */
export interface LogQuery {
  readonly all: readonly Phrase[];
  readonly any: readonly Phrase[];
}

/**
 * A query in the language of FTS5: matches hold the tokens of each phrase, anywhere
 * (https://sqlite.org/fts5.html#full_text_query_syntax).
 */
export function toMatch({ all, any }: LogQuery, chats: readonly number[], senders?: readonly number[]): string {
  const phrases = (list: readonly Phrase[]) => list.map(toFtsPhrase);
  const parts = [
    ...phrases(all),
    joinAny(phrases(any)),
    joinAny(chats.map((chat) => `"${chatMark}${chat}"`)),
    joinAny((senders ?? []).map((sender) => `"${senderMark}${sender}"`)),
  ];
  return parts.filter((part) => part !== "").join(" AND ");
}

function joinAny(parts: readonly string[]): string {
  return parts.length > 1 ? `(${parts.join(" OR ")})` : (parts[0] ?? "");
}

/** This many tokens of a long phrase suffice to find where it may be. */
const maxTokens = 32;

/**
 * The index knows no neighbours: all tokens of a phrase, in any order. Tokens have no signs, so nothing in them is read as
 * one of the language.
 */
function toFtsPhrase({ isOpen, tokens }: Phrase): string {
  const list = tokens.map((token, index) => `"${token}"${isOpen && index === tokens.length - 1 ? " *" : ""}`);
  const parts = [...new Set(list)].slice(0, maxTokens);
  return parts.length > 1 ? `(${parts.join(" AND ")})` : (parts[0] ?? "");
}

/** Postgres keeps 256 places of a word in a row, and 16,383 places in all. */
const maxPlaces = 250;

/**
 * The same for Postgres, as the text of a `tsvector`
 * (https://www.postgresql.org/docs/current/datatype-textsearch.html). A long message has its words without their places
 * and is marked: a match in it has to be compared with its text.
 */
export function toVector(text: string): string {
  const tokens = listTokens(text);
  if (tokens.length > maxPlaces) return [...new Set(tokens), longMark].map(quote).join(" ");
  const places = Map.groupBy(tokens.entries(), ([, token]) => token);
  return [...places].map(([token, at]) => `${quote(token)}:${at.map(([index]) => index + 1).join(",")}`).join(" ");
}

export const longMessages = quote(longMark);

/** A query as the text of a `tsquery`. */
export function toTextQuery({ all, any }: LogQuery): string {
  const list = [...all.map(toVectorPhrase), ...(any.length === 0 ? [] : [`(${any.map(toVectorPhrase).join(" | ")})`])];
  return list.join(" & ");
}

function toVectorPhrase({ isOpen, tokens }: Phrase): string {
  const words = tokens.map((token, index) => quote(token) + (isOpen && index === tokens.length - 1 ? ":*" : ""));
  if (words.length === 1) return words.join("");
  return `((${words.join(" <-> ")}) | (${longMessages} & ${words.join(" & ")}))`;
}

function quote(token: string): string {
  return `'${token.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
