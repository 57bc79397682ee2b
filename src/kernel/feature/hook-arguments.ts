import type { Kysely } from "kysely";
import type { InboundMessage, OutboundMessage } from "../../channels/types.ts";
import type { ConversationMessage, JsonObject, Language, Taint } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { Database } from "../../store/schema/database.ts";
import type { TurnInput } from "../agent/types.ts";
import type { SavedFile } from "../files/heard-voice.ts";
import type { ReceivedFile } from "../files/word-attachments.ts";
import type { Person } from "../gate/types.ts";

/** A voice message whose file is in the workspace. */
export interface VoiceAtHand {
  /** As reported by the platform; 0 when unknown. */
  readonly seconds: number;
  readonly file: SavedFile;
  readonly session: string;
  /** Its content. Returns undefined when the workspace cannot read it. */
  read(): Promise<Buffer | undefined>;
  readonly signal: AbortSignal;
}

/** A turn that ends with a reply. */
export interface RepliedTurn {
  readonly input: TurnInput;
  /** The inbox row that began it. */
  readonly item: InboxItem;
  /** The names of the tools that it called, in order. */
  readonly tools: readonly string[];
  readonly session: SessionRow;
  /** The outbox row of the reply. */
  readonly outboxId: string;
  /** Markdown. */
  readonly text: string;
  /** Builds a message to the same chat. */
  buildMessage(part: Pick<OutboundMessage, "id" | "kind" | "text" | "plain">): OutboundMessage;
}

/** A turn that begins with the message of a person. */
export interface BeginningTurn {
  readonly session: string;
  readonly chatKind: InboundMessage["chatKind"];
  readonly language: Language;
}

/** A note that the model reads before the message of a turn. */
export interface TurnNote {
  readonly message: Extract<ConversationMessage, { role: "note" }>;
  readonly taint: Taint;
  /** Called in the transaction that writes the note and begins the turn. */
  written(tx: Kysely<Database>): Promise<void>;
}

/** A person's words that Kurisu processes. */
export interface HeardMessage {
  readonly item: Pick<InboxItem, "createdAt" | "session">;
  readonly message: InboundMessage;
  readonly person: Person;
  /** Written or spoken by the person. */
  readonly words: string;
  readonly taint: Taint;
  /** The turn that begins with these words or takes them in; absent for words overheard in a group. */
  readonly turn?: { readonly taint: Taint; readonly language: Language };
}

/** Words that Kurisu sends. */
export interface SaidMessage {
  readonly session: string;
  /** The row of the outbox. */
  readonly id: string;
  readonly text: string;
  readonly taint: Taint;
}

/** A message of a person with access. */
export interface AdmittedMessage {
  readonly item: InboxItem;
  readonly message: InboundMessage;
  readonly person: Person;
  readonly language: Language;
  readonly words: Words;
}

/** Questions that a feature asks people itself. */
export interface FeatureQuestions {
  list(session: string): { readonly open: readonly Question[]; readonly closed: readonly Question[] };
  /** Answers the question that a person's word was bound to. Returns false when it is not one of these. */
  decide(id: string, yes: boolean, given: AdmittedMessage): Promise<boolean>;
}

/** A message with the files that came with it. */
export interface SentFile {
  readonly message: InboundMessage;
  readonly person: Pick<Person, "role">;
  readonly received: readonly (ReceivedFile | undefined)[];
  readonly session: string;
}

/** A call ordered by a person; the gate judges it like any other. */
export interface OrderedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}
