import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { z } from "zod";
import type { TurnSkills } from "../agent/turn-skills.ts";
import type { FindContext, TurnContext, TurnInput } from "../agent/types.ts";
import type { ButtonPress, Channel, InboundMessage, MemberLeft, OutboundMessage } from "../../channels/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { KnownSecrets } from "../../core/known-secrets.ts";
import type { Language } from "../../core/conversation.ts";
import type { Person } from "../gate/types.ts";
import type { EventHandlers } from "../inbox/dispatch.ts";
import type { PressAnswer } from "../inbox/press-answer.ts";
import type { JobEnd } from "../lanes/session-lanes.ts";
import type { PersonaFolders } from "../../core/persona/find-personas.ts";
import type { PersonaSound } from "../../core/persona/persona.ts";
import type { CommandAnswer, CommandCall } from "../commands/command-call.ts";
import type { CommandInfo } from "../commands/command-info.ts";
import type { PauseState } from "../pause/pause-state.ts";
import type { StopPerson } from "../pause/stop-person.ts";
import type { EndOpenQuestions } from "../questions/end-open-questions.ts";
import type { HeardVoice } from "../files/heard-voice.ts";
import type { Readiness } from "../http/mount-readiness.ts";
import type { ConsoleDoorPort, ConsoleHooks } from "./console-hooks.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { Signals } from "../../store/engines/postgres-signals.ts";
import type { Store } from "../../store/open-store.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { Scrub } from "../tools/key-argument.ts";
import type { FeatureCommandLine } from "../command-line/command.ts";
import type { AnswerRequest } from "../socket/answer-request.ts";
import type { MadeTool } from "../tools/table/kernel-tools.ts";
import type { Budget } from "../../models/budget.ts";
import type { EmbeddingServer } from "../../models/embed-texts.ts";
import type { Models } from "../../models/types.ts";
import type { PermissionRules } from "../gate/permission.ts";
import type { ParkedTurns } from "../questions/parked-turns.ts";
import type { Previews } from "../questions/previews.ts";
import type { WorkRecord } from "../recovery/work-record.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { OnDecided } from "../gate/approval-manager.ts";
import type { FindRole } from "../gate/resolve-current-role.ts";
import type { KeepResult } from "../tools/keep-result.ts";
import type { ContextPlan } from "../agent/context/plan-context.ts";
import type { FileDelivery } from "../outbox/file-delivery.ts";
import type { OutgoingFiles } from "../outbox/outgoing-files.ts";
import type { RecentTalk } from "../outbox/recent-talk.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { FindVoice } from "../tools/persona-wrapper.ts";
import type { Access, Admission } from "../people/access.ts";
import type { Roles } from "../people/find-role.ts";
import type { BegunTurn } from "../turns/begun-turn.ts";
import type { Browser } from "../../web/browser/open-page.ts";
import type { GuardedFetch } from "../../web/guarded-fetch.ts";
import type { FolderWriters } from "../../workspace/folder-writers.ts";
import type { SessionSnapshots } from "../../workspace/snapshots/session-snapshots.ts";
import type { KnownContents } from "../../workspace/known-contents.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { ToolOptions, ToolSettings } from "../tools/tool-options.ts";
import type { Tool } from "../tools/types.ts";
import type { ConfigPlace } from "./config-place.ts";
import type { Finding } from "./finding.ts";
import type {
  AdmittedMessage,
  BeginningTurn,
  FeatureQuestions,
  HeardMessage,
  OrderedCall,
  RepliedTurn,
  SaidMessage,
  SentFile,
  TurnNote,
  VoiceAtHand,
} from "./hook-arguments.ts";
import type { Speech } from "./speech.ts";

/** The services that the kernel offers to every feature. */
export interface Kernel {
  /** The data folder. */
  readonly home: string;
  readonly store: Store;
  /** Hints to the other processes of the database, and theirs; absent where one process has it alone. */
  readonly signals?: Pick<Signals, "on" | "send">;
  readonly findChannel: (platform: string) => Channel | undefined;
  /** Whether Kurisu receives group messages of a platform that do not address her. */
  readonly hearsAll: (platform: string) => boolean;
  /** The files of each session. */
  readonly workspace: Workspace;
  /** The contents of files when last seen. */
  readonly contents: KnownContents;
  /** The files of sessions in the database; absent where one process has them all. */
  readonly snapshots?: Pick<SessionSnapshots, "save">;
  /** Folders of the workspace that are being written to by others. */
  readonly writers: FolderWriters;
  /** The folder that contains the folders of all sessions. */
  readonly workspaceRoot: string;
  /** Containers for commands. */
  readonly sandbox: Sandbox;
  /** Whether commands may run, and their default timeout in milliseconds. */
  readonly commandSettings: () => { readonly enabled: boolean; readonly timeoutMs: number };
  /** Settings of single tools in tools.yaml. */
  readonly toolSettings: () => ToolSettings;
  readonly browser: Browser;
  /** Fetches addresses named by a model, a page or a message. */
  readonly guardedFetch: GuardedFetch;
  /** Models of the tier small, within the budget of the payer. */
  readonly smallModel: () => Models;
  /** How much of a conversation a prompt contains, for the model that a chat has chosen or the default one. */
  readonly plan: (chosen: string | undefined) => ContextPlan;
  /** Stores a long result in the workspace. */
  readonly keepResult: KeepResult;
  /** All models, within the budget of the payer. */
  readonly models: Models;
  readonly budget: Pick<Budget, "look">;
  /** Whether another model takes over near the daily limits. */
  readonly hasCheaper: () => boolean;
  /** The server that embeds texts. Returns undefined when none is configured. */
  readonly embeddingServer: () => EmbeddingServer | undefined;
  /** The sound of a session's persona. Returns undefined for the server's default. */
  readonly soundOf: (session: string) => PersonaSound | undefined;
  /** The id of the persona that speaks in a session. */
  readonly personaOf: (session: string) => string;
  /** The names of a session's persona, the one in the language first. */
  readonly namesOf: (session: string, language: Language) => readonly string[];
  /** The persona's own words for a situation. */
  readonly voice: FindVoice;
  /** Removes known secrets from a text. */
  readonly scrub: Scrub;
  readonly secrets: KnownSecrets;
  readonly findRole: FindRole;
  readonly roles: Pick<Roles, "base">;
  /** Whether clients of a platform choose their own names. */
  readonly namedByClients: (platform: string) => boolean;
  readonly rules: () => PermissionRules;
  /** The record of running work, from which the next start learns why the process died. */
  readonly work: Pick<WorkRecord, "during">;
  /** Returns undefined when nothing is paused. A transaction that must not run during a pause reads the row itself. */
  readonly findPause: PauseState["find"];
  /** Whether the rule-driven offline model is the only one. */
  readonly isOffline: () => boolean;
  /** The version of the current rules. */
  readonly policy: () => string;
  /** Messages of the gateway, written in the transaction that they report on. */
  readonly systemReplies: SystemReplies;
  readonly tellOwners: TellOwners;
  /** The last few messages of each chat. */
  readonly recentTalk: Pick<RecentTalk, "hear">;
  /** Sends files to a chat. */
  readonly fileDelivery: FileDelivery;
  /** Holds outgoing files until they are sent. */
  readonly outgoing: Pick<OutgoingFiles, "keep">;
  /** Whether a message of a session is being sent. */
  readonly isSending: (session: string) => Promise<boolean>;
  /** Sends the queue of a session. */
  readonly wakeOutbox: (session: string) => void;
  /** For commands, hooks and `start`: while `make` runs there is no gateway yet. */
  readonly gateway: FeatureGateway;
  /** Every tool. Not usable in `make`: tools are created after features. */
  readonly registry: ToolRegistry;
  /** A feature supplies the skills; others query them here. */
  readonly skills: Pick<TurnSkills, "whyNot">;
  /** The current configuration, for settings in files of their own; a feature names the parts it reads. */
  readonly configuration: () => object;
  /** Whether an environment variable belongs to Kurisu: foreign content must not get its value. */
  readonly isOwnVariable: (name: string) => boolean;
  readonly consoleDoor: ConsoleDoorPort;
  readonly httpPort: () => number;
  /** The folders of the personas. */
  readonly personaFolders: () => PersonaFolders;
  /** Reads the configuration again, so that new installations are available to the next call. */
  readonly reload: () => void;
  /** Milliseconds between a store error and the next attempt. */
  readonly retryMs: number;
  /** IANA time zone for people who named none. */
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The gateway as features see it, once it runs. */
export interface FeatureGateway {
  /** Gives an inbox row to the lane of its session. */
  pushToLane(item: InboxItem): void;
  /** Dispatches an inbox row after the earlier ones of its chat. */
  takeItem(item: InboxItem): void;
  /** After a store error: searches for rows that were left behind. */
  reconcile(error: unknown): void;
  readonly endOpenQuestions: EndOpenQuestions;
  /** Takes every inbox row that is not in progress. Never throws. */
  takeUnfinished(): Promise<void>;
  readonly stopPerson: StopPerson;
  /** Ends work of a session that outlives its call. */
  endWork(session: string): void;
  /** Removes outgoing files whose message is gone. */
  sweepOutgoing(): Promise<void>;
  readonly endQuestion: ParkedTurns["end"];
  /** Whether Kurisu takes part in the group of a session. */
  isGroupOpen(session: SessionRow): Promise<boolean>;
  /** Returns a sender with their role in the chat. Queries the platform: never call it in a transaction. */
  readonly identify: Access["identify"];
}

/** Handles inbox rows of one kind: begins a turn, or does the work itself. */
export type FeatureJob = {
  /** The lane in which rows wait for one another. Default: that of the session. */
  lane?(item: InboxItem): string;
} & (
  | { readonly begin: BeginRow }
  | {
      work(item: InboxItem, signal: AbortSignal): Promise<JobEnd>;
      /** It runs while everything is paused, or checks for the pause itself. */
      readonly whilePaused?: true;
      /** Rows put aside cause no notice. */
      readonly silent?: true;
    }
);

/** Begins the turn of a feature's inbox row. Returns undefined if a fixed reply handled it, or no one is notified. */
export type BeginRow = (item: InboxItem, session: SessionRow, owner: string) => Promise<BegunTurn | undefined>;

/**
 * The hooks of a feature. `call-hooks.ts` calls each hook feature by feature, in list order. A hook that gets a
 * transaction may throw: the transaction is rolled back and the row is tried again. Exceptions of other hooks are
 * logged and do not affect other features.
 */
export interface FeatureHooks extends ConsoleHooks {
  /** Tries out calls that wait for approval; the first feature that has this is used. */
  readonly previews?: Previews;
  /** Runs on every start, including one-shot commands. */
  opened?(): void;
  /** Called after `opened`. One-shot commands do not call it. */
  start?(): void;
  /** Stops starting work at once; resolves when running work has finished. */
  stop?(): Promise<void>;
  /** Called when configuration files have changed and the lower rooms have followed. */
  configurationChanged?(): void;
  /** Called once a day for maintenance. */
  daily?(): void;
  /** Called when work resumes after a pause. */
  resumed?(): void;
  /** Ends background work that outlives its call, in one session or in all. Returns true when something was ended. */
  endWork?(session?: string): boolean;
  /** Runs on every start, before inbox rows are taken: removes what a dead process left behind. */
  cleanUp?(): Promise<unknown>;
  /** By the kind of inbox row. */
  readonly jobs?: Readonly<Partial<Record<InboxItem["kind"], FeatureJob>>>;
  /** Handles platform events, by kind. */
  readonly events?: Partial<EventHandlers>;
  /** Called for messages of people or groups without access; the first result counts. The hook writes nothing. */
  admits?(message: InboundMessage, account: string, db: Kysely<Database>): Promise<Admission | undefined>;
  /** Called before a message goes to its lane, unless it answers a question. Returns true if it was finished. */
  take?(message: AdmittedMessage): Promise<boolean>;
  /** Questions of its own, bound to answers together with those of the approval table. */
  readonly questions?: FeatureQuestions;
  /** Lines for /status. */
  status?(language: Language): readonly string[];
  /** Answers requests of ./kurisu commands by kind, over the socket or in the command's own process. */
  readonly requests?: Readonly<Record<string, AnswerRequest>>;
  /** The state of its parts by name, for /readyz and the start screen. */
  readiness?(): Readonly<Record<string, Readiness>>;
  /** Whether a group message is for Kurisu although it does not address her. */
  isForHer?(item: InboxItem, message: InboundMessage): boolean;
  /** Called for a message that would begin a turn. Returns true when Kurisu stays silent. */
  leavesUnanswered?(message: AdmittedMessage): Promise<boolean>;
  /** Called for a pressed button; the first result counts. Returns undefined for buttons of others. */
  pressed?(item: InboxItem, press: ButtonPress): Promise<PressAnswer | undefined>;
  /** Called before the transaction that begins a turn with a message. */
  notes?(turn: BeginningTurn): Promise<readonly TurnNote[]>;
  /** Called for the prompt of each turn of a person. */
  context?(...asked: Parameters<FindContext>): Promise<Partial<TurnContext>>;
  /** The calls that a message orders through its file; the first result counts. */
  orderedCalls?(sent: SentFile): Promise<readonly OrderedCall[] | undefined>;
  /** Called in the transaction of a decision about a question. The hook opens no other. */
  readonly decided?: OnDecided;
  /** Called in the transaction that stores a person's words. The hook opens no other. */
  heard?(tx: Kysely<Database>, heard: HeardMessage): Promise<void>;
  /** Called in the transaction that queues Kurisu's own words. The hook opens no other. */
  said?(tx: Kysely<Database>, said: SaidMessage): Promise<void>;
  /** A person has edited a message. */
  amended?(session: string, message: InboundMessage, person: Person): Promise<void>;
  /** A message was recalled. */
  withdrawn?(session: string, messageId: string): Promise<void>;
  /** A person has begun a new conversation in a session. */
  startedOver?(session: string): Promise<void>;
  /** A person has left a group. */
  left?(item: InboxItem, event: MemberLeft): Promise<void>;
  /** Called after the transaction of a settled reply. `isLong` means that the conversation may exceed a prompt. */
  settled?(input: TurnInput, isLong: boolean): Promise<void>;
  /** Called for each saved voice message, including quoted ones. Returns undefined after a stop. */
  hearVoice?(voice: VoiceAtHand): Promise<HeardVoice | undefined>;
  /**
   * Called in the transaction that settles a reply; the hook opens no other. Returns the messages to queue after the
   * reply. If it throws, nothing is settled and the turn is tried again.
   */
  ended?(tx: Kysely<Database>, turn: RepliedTurn): Promise<readonly OutboundMessage[]>;
  /** Called while a message of kind `voice` is sent. Never throws. */
  speak?(speech: NonNullable<OutboundMessage["speech"]>): Promise<Speech>;
  /** Tools that can appear and disappear while Kurisu runs. */
  readonly changingTools?: {
    /** Returns the same list while nothing has changed. */
    list(): readonly Tool[];
    /** Resolves when every tool that may run has been described. */
    settle(): Promise<void>;
  };
  /** Expected abilities that are not configured here: the model is instructed not to promise them. */
  readonly lacks?: readonly string[];
}

/** A chat command of a feature; `made` is what the feature's `make` returned. */
interface FeatureCommand<Made> extends CommandInfo {
  answer(made: Made, call: CommandCall): Promise<CommandAnswer | undefined>;
  /** Completions for the last of these words, which follow the command's name. */
  complete?(made: Made, session: string, words: readonly string[]): Promise<readonly string[]>;
}

/**
 * An ability of Kurisu: one folder in src/features and one line in src/assembly/features.ts. Deleting both removes it.
 * The kernel imports no feature. A feature may import the kernel, the rooms below it, and the features listed in
 * `needs`.
 */
export interface Feature<
  Environment extends z.ZodRawShape = z.ZodRawShape,
  Settings = unknown,
  Made extends object = FeatureHooks,
  Needed = unknown,
> {
  /** Its folder, and the key of its settings. */
  readonly name: string;
  /** Features that it may import; `make` gets their parts. */
  readonly needs?: Readonly<Record<string, Feature>>;
  /** Its environment variables; `configure` gets these and no others. */
  readonly environment?: Environment;
  /** Reads its own files whenever the configuration is read. */
  readFiles?(place: ConfigPlace): unknown;
  /** The schemas of its files of config/system, by name without `.yaml`. */
  readonly files?: Readonly<Record<string, z.ZodType>>;
  /** The schemas with which editors check its other files, by name. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
  /** Names of tools from its own files, so that tools.yaml may mention them. `own` is the result of `readFiles`. */
  listToolNames?(own: unknown): readonly string[];
  /**
   * Called whenever the configuration is read. `files` holds the parsed files of config/system by name, its own among
   * them. `own` is the result of `readFiles`.
   */
  configure?(values: z.output<z.ZodObject<Environment>>, files: unknown, own: unknown): Settings;
  /** Its tables, created after those of the kernel and of earlier features. */
  readonly tables?: Tables;
  /** Its fixed texts. */
  readonly words?: Readonly<Record<Language, object>>;
  readonly commands?: readonly FeatureCommand<Made>[];
  /** Its commands of ./kurisu. They reach its hook `requests` whether Kurisu runs or not. */
  readonly cli?: readonly FeatureCommandLine<NoInfer<Settings>>[];
  /** Its tools by name. A row imports its module when the tool is created, so an excluded tool is never loaded. */
  readonly tools?: Readonly<Record<string, MakeFeatureTool<Made>>>;
  /** The same, for tools that cannot be replaced. */
  readonly soleTools?: Readonly<Record<string, MakeFeatureTool<Made>>>;
  /** Its tools read the settings when they are created: a change creates all tools again. */
  readonly toolsFollowSettings?: true;
  /** For `doctor`. */
  check?(settings: Settings): Promise<readonly Finding[]>;
  /** Returns its hooks, and the parts that its commands and tools use. `settings` returns the current ones. */
  make(kernel: Kernel, settings: () => Settings, needed: Needed): Made & FeatureHooks;
}

/** Creates a tool of a feature; `made` is what the feature's `make` returned. */
type MakeFeatureTool<Made> = (made: Made, options: ToolOptions) => Promise<MadeTool>;

/**
 * A feature whose parts are available to others or to the assembly. The field has no value and only carries the type.
 */
export interface DefinedFeature<Made> extends Feature {
  readonly gives?: Made;
}

type NeededParts<Needs> = {
  readonly [Name in keyof Needs]: Needs[Name] extends DefinedFeature<infer Made> ? Made : never;
};

/** Checks a feature against its own types. The returned type hides the feature's settings. */
export function defineFeature<
  Environment extends z.ZodRawShape,
  Settings,
  Made extends object,
  Needs extends Readonly<Record<string, Feature>> = Readonly<Record<string, Feature>>,
>(
  feature: Omit<Feature<Environment, Settings, Made, NeededParts<Needs>>, "needs"> & { readonly needs?: Needs },
): DefinedFeature<Made> {
  // Callers pass the results of its own `configure` and `make` back to it.
  return feature as unknown as DefinedFeature<Made>;
}
