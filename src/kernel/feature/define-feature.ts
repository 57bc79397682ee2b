import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { z } from "zod";
import type { TurnInput } from "../agent/types.ts";
import type { Channel, OutboundMessage } from "../../channels/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { PersonaSound } from "../../core/persona/persona.ts";
import type { CommandAnswer, CommandCall } from "../commands/command-call.ts";
import type { CommandInfo } from "../commands/command-info.ts";
import type { EndOpenQuestions } from "../questions/end-open-questions.ts";
import type { HeardVoice, SavedFile } from "../files/heard-voice.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { Store } from "../../store/open-store.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Scrub } from "../tools/key-argument.ts";
import type { MadeTool } from "../tools/table/builtin-tools.ts";
import type { ToolOptions } from "../tools/tool-options.ts";
import type { Finding } from "./finding.ts";
import type { Speech } from "./speech.ts";

/** What the kernel gives to every feature. */
export interface Kernel {
  readonly store: Store;
  readonly findChannel: (platform: string) => Channel | undefined;
  /** How the persona of a session sounds; undefined = as the server does by default. */
  readonly soundOf: (session: string) => PersonaSound | undefined;
  /** Removes known secrets from a text. */
  readonly scrub: Scrub;
  /** Messages of the gateway, written in the transaction that they tell of. */
  readonly systemReplies: SystemReplies;
  /** Sends what was queued for a session. */
  readonly wakeOutbox: (session: string) => void;
  /** Gives a row of the inbox to the lane of its session. For commands and hooks: `make` runs before there are lanes. */
  readonly pushToLane: (item: InboxItem) => void;
  /** For commands and hooks, too. */
  readonly endOpenQuestions: EndOpenQuestions;
  /** IANA time zone of people who named none. */
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A voice message whose file is in the workspace now. */
export interface VoiceAtHand {
  /** As the platform says; 0 = it does not. */
  readonly seconds: number;
  readonly file: SavedFile;
  readonly session: string;
  /** Its content; undefined when the workspace cannot give it. */
  read(): Promise<Buffer | undefined>;
  readonly signal: AbortSignal;
}

/** A turn that ends with a reply. */
interface RepliedTurn {
  readonly input: TurnInput;
  readonly session: SessionRow;
  /** The outbox row of the reply. */
  readonly outboxId: string;
  /** Markdown. */
  readonly text: string;
  /** Builds a message to the same chat. */
  buildMessage(part: Pick<OutboundMessage, "id" | "kind" | "text" | "plain">): OutboundMessage;
}

/** Where a feature takes part in the life of a message. The kernel calls each hook at one place, in the order of the features. */
export interface FeatureHooks {
  /** The kernel calls it for each voice message whose file was saved, and for quoted ones. undefined = the turn was stopped. */
  hearVoice?(voice: VoiceAtHand): Promise<HeardVoice | undefined>;
  /**
   * The kernel calls it inside the transaction that settles a reply; the hook opens no other. It returns the messages to queue
   * behind the reply. When it throws, nothing is settled and the turn is tried again.
   */
  ended?(tx: Kysely<Database>, turn: RepliedTurn): Promise<readonly OutboundMessage[]>;
  /** The kernel calls it while a message of kind `voice` goes out. Never throws. */
  speak?(speech: NonNullable<OutboundMessage["speech"]>): Promise<Speech>;
  /** Abilities that people expect and that are not configured here: the model is told not to promise them. */
  readonly lacks?: readonly string[];
}

/** A chat command of a feature; `made` is what the feature's `make` returned. */
interface FeatureCommand<Made> extends CommandInfo {
  answer(made: Made, call: CommandCall): Promise<CommandAnswer | undefined>;
  /** What the Tab key may put in the place of the last of these words, which follow the command's name. */
  complete?(made: Made, session: string, words: readonly string[]): Promise<readonly string[]>;
}

/**
 * Something Kurisu can do: one folder in src/features and one line in src/assembly/features.ts. Deleting both removes it.
 * The kernel imports no feature. A feature may import the kernel, the rooms below it, and the features listed in `needs`.
 */
export interface Feature<
  Environment extends z.ZodRawShape = z.ZodRawShape,
  Settings = unknown,
  Made extends object = FeatureHooks,
> {
  /** Its folder, and the key of its settings. */
  readonly name: string;
  /** Features that it may import. */
  readonly needs?: readonly string[];
  /** Its environment variables; `configure` gets these and no others. */
  readonly environment: Environment;
  configure(values: z.output<z.ZodObject<Environment>>): Settings;
  /** Its fixed texts. */
  readonly words?: Readonly<Record<Language, object>>;
  readonly commands?: readonly FeatureCommand<Made>[];
  /** Its tools by name. A row imports its module when the tool is made: nothing of a tool that is excluded is loaded. */
  readonly tools?: Readonly<Record<string, (options: ToolOptions) => Promise<MadeTool>>>;
  /** For `doctor`. */
  check?(settings: Settings): Promise<readonly Finding[]>;
  /** Its hooks, and the parts that its commands call. */
  make(kernel: Kernel, settings: Settings): Made & FeatureHooks;
}

/** Checks a feature against its own types. The returned type hides the feature's settings and parts. */
export function defineFeature<Environment extends z.ZodRawShape, Settings, Made extends object>(
  feature: Feature<Environment, Settings, Made>,
): Feature {
  return feature;
}
