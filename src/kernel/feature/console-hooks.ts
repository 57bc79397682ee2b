import type { TurnRow } from "../../store/queries/turns.ts";
import type { StrangerRequests } from "../people/stranger-requests.ts";

/** The hooks of a feature for the web console. */
export interface ConsoleHooks {
  /** A conversation with its tool calls as a file, for the owner. Undefined when it has no message. */
  writeConversation?(session: string, format: ExportFormat): Promise<WrittenConversation | undefined>;
  /** Requests of strangers that wait for an owner. */
  readonly strangers?: StrangerRequests;
  /** The sub-agents as they are set, each with its newest runs. */
  listAgents?(): Promise<readonly ListedAgent[]>;
}

export interface ListedAgent {
  readonly id: string;
  readonly description: { readonly zh: string; readonly en: string };
  readonly tools: readonly string[];
  readonly exclude: readonly string[];
  readonly model: string;
  readonly runs: readonly Pick<TurnRow, "id" | "session" | "state" | "outcome" | "createdAt" | "updatedAt">[];
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
