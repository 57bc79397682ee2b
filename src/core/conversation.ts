import type { JsonValue } from "./canonical-json.ts";
import type { StoredPart } from "./content-part.ts";
import type { KeptAnswer } from "./kept-answer.ts";

/** Languages Kurisu speaks; one dictionary each in core/words/. */
export type Language = "zh" | "en" | "ja";

/**
 * Where content came from, from most to least trusted. A turn's label only ever moves to the right. exposed = words of
 * others were next to it (what servers say of their tools, names of files), but nothing of theirs was read.
 */
export type Taint = "owner" | "user" | "exposed" | "untrusted";

/** Arguments of a tool call, as the model wrote them after strict JSON parsing. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A tool call in a turn. `id` is ours: `<round>.<index>`, both counted from 1. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** Why the call can never run (cut off, arguments that are no strict JSON); the model gets this as the result. */
  readonly fault?: string;
}

/** A file that a person sent, and how far its content is theirs. */
export interface FileRecord {
  /** Within the workspace. */
  readonly path: string;
  readonly bytes: number;
  readonly mimeType: string;
  readonly sha256: string;
  readonly taint: Taint;
}

/** A person whose words are in a text. An empty id means that the person is unknown. */
export interface Speaker {
  readonly id: string;
  readonly name: string;
  /** As of a message. */
  readonly human?: string;
  readonly taint: Taint;
}

/** A message of a conversation as the store keeps it and the model sees it. */
export type ConversationMessage =
  | {
      readonly role: "user";
      readonly text: string;
      readonly senderId: string;
      readonly senderName: string;
      /** The same for all accounts of the sender; absent when they had this one only. */
      readonly human?: string;
      /** Attached files, in the workspace; the text names them, too. */
      readonly files?: readonly FileRecord[];
      /** Web addresses in the sender's own words (named-addresses.ts). */
      readonly named?: readonly string[];
      /** Other people whose words are in it, in addition to the sender's. */
      readonly sources?: readonly string[];
      /** After how many questions to the model a running turn took it in. Absent for the message at its beginning. */
      readonly afterRound?: number;
    }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly ToolCall[];
      /** Untrusted sources that the turn had read. */
      readonly sources?: readonly string[];
      readonly kept?: KeptAnswer;
    }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly text: string;
      readonly parts?: readonly StoredPart[];
    }
  /** A record of the gateway for the model (asked and waiting, expired); never a person's words. */
  | {
      readonly role: "note";
      readonly text: string;
      readonly sources?: readonly string[];
      /** The person whose words a reminder holds: for all others they are another person's. */
      readonly of?: { readonly senderId: string; readonly senderName: string; readonly human?: string };
    };
