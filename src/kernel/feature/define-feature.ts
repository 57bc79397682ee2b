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
import type { SystemReplies } from "../outbox/system-replies.ts";
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
import type { KnownContents } from "../../workspace/known-contents.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { ToolOptions } from "../tools/tool-options.ts";
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

/** What the kernel gives to every feature. */
export interface Kernel {
  /** The data folder. */
  readonly home: string;
  readonly store: Store;
  readonly findChannel: (platform: string) => Channel | undefined;
  /** Whether Kurisu hears group messages of a platform that are not addressed to her. */
  readonly hearsAll: (platform: string) => boolean;
  /** The files of each session. */
  readonly workspace: Workspace;
  /** The contents of files when they were last seen. */
  readonly contents: KnownContents;
  /** Folders of the workspace that something else writes to now. */
  readonly writers: FolderWriters;
  /** The folder that holds the folders of all sessions. */
  readonly workspaceRoot: string;
  /** Containers for commands. */
  readonly sandbox: Sandbox;
  /** Whether commands may run, and for how many milliseconds when a call does not say. */
  readonly commandSettings: () => { readonly enabled: boolean; readonly timeoutMs: number };
  /** Settings of single tools in tools.yaml. */
  readonly toolSettings: () => {
    readonly exclude: readonly string[];
    /** By the name of a built-in tool: the tool that stands in for it. */
    readonly overrides: Readonly<Partial<Record<string, string>>>;
    readonly options: Readonly<Record<string, ToolOptions>>;
  };
  readonly browser: Browser;
  /** Fetches addresses that a model, a page or a message names. */
  readonly guardedFetch: GuardedFetch;
  /** Models of the tier small, within the limits of whoever pays. */
  readonly smallModel: () => Models;
  /** How much of a conversation stands in a prompt, for the model that a chat has chosen, or the usual one. */
  readonly plan: (chosen: string | undefined) => ContextPlan;
  /** Keeps a long result in the workspace. */
  readonly keepResult: KeepResult;
  /** All models, within the limits of whoever pays. */
  readonly models: Models;
  readonly budget: Pick<Budget, "look">;
  /** Whether another model answers close to the limits of a day. */
  readonly hasCheaper: () => boolean;
  /** The server that embeds texts; undefined = none is configured. */
  readonly embeddingServer: () => EmbeddingServer | undefined;
  /** How the persona of a session sounds; undefined = as the server does by default. */
  readonly soundOf: (session: string) => PersonaSound | undefined;
  /** The id of the persona that speaks in a session. */
  readonly personaOf: (session: string) => string;
  /** The names of the persona of a session, the one in the language first. */
  readonly namesOf: (session: string, language: Language) => readonly string[];
  /** The persona's own words for a situation. */
  readonly voice: FindVoice;
  /** Removes known secrets from a text. */
  readonly scrub: Scrub;
  readonly secrets: KnownSecrets;
  readonly findRole: FindRole;
  readonly roles: Pick<Roles, "base">;
  /** Whether the people of a platform are names that its clients choose. */
  readonly namedByClients: (platform: string) => boolean;
  readonly rules: () => PermissionRules;
  /** The record of running work: from it the next start knows why the process died. */
  readonly work: Pick<WorkRecord, "during">;
  /** undefined = nothing is paused. A transaction that must not run during a pause reads the row itself. */
  readonly findPause: PauseState["find"];
  /** Whether no model is there but the built-in one that follows rules. */
  readonly isOffline: () => boolean;
  /** The version of the rules that are in force. */
  readonly policy: () => string;
  /** Messages of the gateway, written in the transaction that they tell of. */
  readonly systemReplies: SystemReplies;
  readonly tellOwners: TellOwners;
  /** The last few things that were said in each chat. */
  readonly recentTalk: Pick<RecentTalk, "hear">;
  /** Brings files to a chat. */
  readonly fileDelivery: FileDelivery;
  /** Holds outgoing files until they are sent. */
  readonly outgoing: Pick<OutgoingFiles, "keep">;
  /** Whether a message of a session is on its way out. */
  readonly isSending: (session: string) => boolean;
  /** Sends what was queued for a session. */
  readonly wakeOutbox: (session: string) => void;
  /** For commands, hooks and `start`: `make` runs before there is a gateway. */
  readonly gateway: FeatureGateway;
  /** Every tool there is. Not in `make`: tools are made after features. */
  readonly registry: ToolRegistry;
  /** A feature supplies the skills; the others ask them here. */
  readonly skills: Pick<TurnSkills, "whyNot">;
  /** The configuration of the moment, for settings that stand in files of their own; a feature names the parts it reads. */
  readonly configuration: () => object;
  /** Whether a variable of the environment is Kurisu's own: what others wrote must not have it. */
  readonly isOwnVariable: (name: string) => boolean;
  /** Where our HTTP server listens. */
  readonly httpPort: () => number;
  /** Where personas lie. */
  readonly personaFolders: () => PersonaFolders;
  /** Reads the configuration anew: what was just installed is there for the next call. */
  readonly reload: () => void;
  /** Milliseconds between a fault of the store and the next try. */
  readonly retryMs: number;
  /** IANA time zone of people who named none. */
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The gateway as features use it, once it runs. */
export interface FeatureGateway {
  /** Gives a row of the inbox to the lane of its session. */
  pushToLane(item: InboxItem): void;
  /** Dispatches a row of the inbox, after the earlier ones of its chat. */
  takeItem(item: InboxItem): void;
  /** After a fault of the store: looks for rows that were left behind. */
  reconcile(error: unknown): void;
  readonly endOpenQuestions: EndOpenQuestions;
  /** Takes up every row of the inbox that is not in work. Never throws. */
  takeUnfinished(): Promise<void>;
  readonly stopPerson: StopPerson;
  /** Ends work of a session that goes on after its call. */
  endWork(session: string): void;
  /** Removes outgoing files whose message is gone. */
  sweepOutgoing(): Promise<void>;
  readonly endQuestion: ParkedTurns["end"];
  /** Whether Kurisu takes part in the group of a session. */
  isGroupOpen(session: SessionRow): Promise<boolean>;
  /** Who wrote or pressed something, with their role in its chat. Asks the platform, so never in a transaction. */
  readonly identify: Access["identify"];
}

/** Work on rows of the inbox of one kind: it begins a turn, or does the work by itself. */
export type FeatureJob = {
  /** The lane in which rows wait for each other. Default: that of the session. */
  lane?(item: InboxItem): string;
} & (
  | { readonly begin: BeginRow }
  | {
      work(item: InboxItem, signal: AbortSignal): Promise<JobEnd>;
      /** It works while everything is paused, or asks for the pause by itself. */
      readonly whilePaused?: true;
      /** A row that is put aside is told to nobody. */
      readonly silent?: true;
    }
);

/** Begins the turn of a row that a feature put into the inbox. undefined = a fixed line said it, or nobody is to hear of it. */
export type BeginRow = (
  item: InboxItem,
  session: SessionRow,
  owner: string,
  leaseMs: number,
) => Promise<BegunTurn | undefined>;

/**
 * Where a feature takes part. `call-hooks.ts` calls each hook for one feature after the other, in the order of the list. A hook that gets a
 * transaction may throw: then nothing of it is kept, and the row is tried again. The others are logged, and take nothing from other features.
 */
export interface FeatureHooks {
  /** Tries out calls that wait for approval; the first feature that has it does it. */
  readonly previews?: Previews;
  /** Runs on every start, one-shot commands included. */
  opened?(): void;
  /** Called after `opened`. One-shot commands do not call it. */
  start?(): void;
  /** Stops starting work at once; resolves when running work has finished. */
  stop?(): Promise<void>;
  /** Called when the files of the configuration have changed, and the rooms below follow them. */
  configurationChanged?(): void;
  /** Called once a day, for upkeep. */
  daily?(): void;
  /** Called when everything goes on again after a pause. */
  resumed?(): void;
  /** Ends background work that outlives the call that started it, in one session or in all. true = something was ended. */
  endWork?(session?: string): boolean;
  /** Runs on every start, before rows of the inbox are taken up: removes what a process left behind that died. */
  cleanUp?(): Promise<unknown>;
  /** By the kind of inbox row. */
  readonly jobs?: Readonly<Partial<Record<InboxItem["kind"], FeatureJob>>>;
  /** Handles events that the platforms tell of, by their kind. */
  readonly events?: Partial<EventHandlers>;
  /** Called for words of a person who is not let in, or in a group that is not open; the first answer counts. The hook writes nothing. */
  admits?(message: InboundMessage, account: string, db: Kysely<Database>): Promise<Admission | undefined>;
  /** Called before a message is given to its lane, unless it answers a question. true = the feature has taken and finished it. */
  take?(message: AdmittedMessage): Promise<boolean>;
  /** Questions of its own, which stand beside those of the approval table: a bare word never means the wrong one of the two. */
  readonly questions?: FeatureQuestions;
  /** Lines for /status. */
  status?(language: Language): readonly string[];
  /** Answers requests of commands of ./kurisu, by their kind: over the socket, or in the process of a command while Kurisu does not run. */
  readonly requests?: Readonly<Record<string, AnswerRequest>>;
  /** How its parts are, by name, for /readyz and the start screen. */
  readiness?(): Readonly<Record<string, Readiness>>;
  /** Whether a message of a group is for Kurisu though it does not address her. */
  isForHer?(item: InboxItem, message: InboundMessage): boolean;
  /** Called for a message that would begin a turn. true = Kurisu says nothing to it. */
  leavesUnanswered?(message: AdmittedMessage): Promise<boolean>;
  /** Called for a pressed button; the first answer counts. undefined = the button is not the feature's. */
  pressed?(item: InboxItem, press: ButtonPress): Promise<PressAnswer | undefined>;
  /** Called before the transaction that begins a turn with a message. */
  notes?(turn: BeginningTurn): Promise<readonly TurnNote[]>;
  /** Called for the prompt of each turn of a person. */
  context?(...asked: Parameters<FindContext>): Promise<Partial<TurnContext>>;
  /** The calls that a message orders by the file that came with it; the first answer counts. */
  orderedCalls?(sent: SentFile): Promise<readonly OrderedCall[] | undefined>;
  /** Called in the transaction of a decision about a question. The hook opens no other. */
  readonly decided?: OnDecided;
  /** Called in the transaction that keeps words of a person. The hook opens no other. */
  heard?(tx: Kysely<Database>, heard: HeardMessage): Promise<void>;
  /** Called in the transaction that queues words of Kurisu's own. The hook opens no other. */
  said?(tx: Kysely<Database>, said: SaidMessage): Promise<void>;
  /** A person has edited a message. */
  amended?(session: string, message: InboundMessage, person: Person): Promise<void>;
  /** A message was taken back. */
  withdrawn?(session: string, messageId: string): Promise<void>;
  /** A person has begun a new conversation in a session. */
  startedOver?(session: string): Promise<void>;
  /** A person has left a group. */
  left?(item: InboxItem, event: MemberLeft): Promise<void>;
  /** Called when a reply is settled and its transaction is over. `isLong` = the conversation may have become too long for a prompt. */
  settled?(input: TurnInput, isLong: boolean): Promise<void>;
  /** The kernel calls it for each voice message whose file was saved, and for quoted ones. undefined = the turn was stopped. */
  hearVoice?(voice: VoiceAtHand): Promise<HeardVoice | undefined>;
  /**
   * The kernel calls it inside the transaction that settles a reply; the hook opens no other. It returns the messages to queue
   * behind the reply. When it throws, nothing is settled and the turn is tried again.
   */
  ended?(tx: Kysely<Database>, turn: RepliedTurn): Promise<readonly OutboundMessage[]>;
  /** The kernel calls it while a message of kind `voice` goes out. Never throws. */
  speak?(speech: NonNullable<OutboundMessage["speech"]>): Promise<Speech>;
  /** Tools that come and go while Kurisu runs. */
  readonly changingTools?: {
    /** The same list for as long as nothing has changed. */
    list(): readonly Tool[];
    /** Resolves when every tool that may run has said what it is. */
    settle(): Promise<void>;
  };
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
  Needed = unknown,
> {
  /** Its folder, and the key of its settings. */
  readonly name: string;
  /** Features that it may import; `make` gets what they made. */
  readonly needs?: Readonly<Record<string, Feature>>;
  /** Its environment variables; `configure` gets these and no others. */
  readonly environment?: Environment;
  /** Reads files of its own, whenever the configuration is read. */
  readFiles?(place: ConfigPlace): unknown;
  /** Its files of config/system, by name without `.yaml`, each with what it may say. */
  readonly files?: Readonly<Record<string, z.ZodType>>;
  /** The schemas that editors check files of its own with, by name. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
  /** Names of tools that files of its own bring, so that tools.yaml may speak of them. `own` = what `readFiles` returned. */
  listToolNames?(own: unknown): readonly string[];
  /**
   * Called whenever the configuration is read. `files` = the parsed files of config/system, by name, its own among them.
   * `own` = what `readFiles` returned.
   */
  configure?(values: z.output<z.ZodObject<Environment>>, files: unknown, own: unknown): Settings;
  /** Its tables. They are made after those of the kernel, and of the features before it in the list. */
  readonly tables?: Tables;
  /** Its fixed texts. */
  readonly words?: Readonly<Record<Language, object>>;
  readonly commands?: readonly FeatureCommand<Made>[];
  /** Its commands of ./kurisu. They reach its hook `requests`, whether Kurisu runs or not. */
  readonly cli?: readonly FeatureCommandLine<NoInfer<Settings>>[];
  /** Its tools by name. A row imports its module when the tool is made: nothing of a tool that is excluded is loaded. */
  readonly tools?: Readonly<Record<string, MakeFeatureTool<Made>>>;
  /** The same, for tools that nothing else may stand in for. */
  readonly soleTools?: Readonly<Record<string, MakeFeatureTool<Made>>>;
  /** Its tools read its settings when they are made: all tools are made anew when those change. */
  readonly toolsFollowSettings?: true;
  /** For `doctor`. */
  check?(settings: Settings): Promise<readonly Finding[]>;
  /** Its hooks, and the parts that its commands and tools use. `settings` answers those of the moment. */
  make(kernel: Kernel, settings: () => Settings, needed: Needed): Made & FeatureHooks;
}

/** Makes a tool of a feature; `made` is what the feature's `make` returned. */
type MakeFeatureTool<Made> = (made: Made, options: ToolOptions) => Promise<MadeTool>;

/** A feature whose parts another one, or the assembly, may have. The field has no value: it carries the type. */
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
