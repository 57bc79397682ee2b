import type { TurnRow } from "../../store/queries/turns.ts";
import type { StrangerRequests } from "../people/stranger-requests.ts";

/** The web console's door, for people who ask in a chat. */
export interface ConsoleDoorPort {
  /** Whether console.yaml lets people in who ask. */
  isOpen(): boolean;
  /** The console's address for other machines; undefined when console.yaml names none. */
  address(): string | undefined;
  /** A code that lets this person alone in, once. Undefined while the console does not listen. */
  makeCode(person: {
    readonly account: string;
    readonly role: "owner" | "member";
  }): Promise<{ readonly code: string; readonly expiresAt: number } | undefined>;
}

/** The hooks of a feature for the web console. */
export interface ConsoleHooks {
  /** A conversation with its tool calls as a file, for the owner. Undefined when it has no message. */
  writeConversation?(session: string, format: ExportFormat): Promise<WrittenConversation | undefined>;
  /** Requests of strangers that wait for an owner. */
  readonly strangers?: StrangerRequests;
  /** Parts an account from the others of its person, for the owner. False = it is linked with no other. */
  unlinkAccount?(account: string, login: string): Promise<boolean>;
  /** The sub-agents as they are set, each with its newest runs. */
  listAgents?(): Promise<readonly ListedAgent[]>;
  /** The branches of a conversation. */
  readonly worldlines?: WorldLines;
}

export interface ListedAgent {
  readonly id: string;
  readonly description: { readonly zh: string; readonly en: string };
  readonly tools: readonly string[];
  readonly exclude: readonly string[];
  readonly model: string;
  readonly runs: readonly Pick<TurnRow, "id" | "session" | "state" | "outcome" | "createdAt" | "updatedAt">[];
}

interface WorldLines {
  /** The newest of them, by number. Empty when the conversation never forked. */
  list(session: string): Promise<readonly WorldLine[]>;
  /** As the owner's command does it; the chat is told. `busy` = a turn is running there. */
  enter(session: string, number: number, login: string): Promise<"moved" | "busy" | "unknown">;
}

interface WorldLine {
  readonly number: number;
  /** A letter. */
  readonly name: string;
  /** The line that it left, and the last point that they have in common. Absent for the first line, and without words of its own. */
  readonly from?: { readonly line: number; readonly point: number };
  /** Its last point, in visible characters, cut. */
  readonly last?: { readonly point: number; readonly text: string; readonly at: number };
  readonly isCurrent: boolean;
}

type ExportFormat = "md" | "json";

/** A conversation as a file. */
interface WrittenConversation {
  readonly name: string;
  readonly content: Buffer;
  readonly count: number;
  /** Older messages had no room. */
  readonly isCut: boolean;
}
