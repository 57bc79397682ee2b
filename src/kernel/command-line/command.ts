import type { Language } from "../../core/conversation.ts";
import type { KnownSecrets } from "../../core/known-secrets.ts";
import type { Persona } from "../../core/persona/persona.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Store, StorePlace } from "../../store/open-store.ts";
import type { FeatureRequest } from "../socket/answer-request.ts";
import type { ToolRegistry } from "../tools/registry.ts";

/** Asks Kurisu for one thing; the hook `requests` of a feature answers. The signal cancels it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Callers name the type of their request, which is checked in full.
export type AskKurisu = <Request extends FeatureRequest>(request: Request, signal?: AbortSignal) => Promise<string>;

/** The Kurisu that answers on a data folder, in this process or in another one. */
export interface ReachedKurisu {
  /** She runs in another process. */
  readonly isRunning: boolean;
  readonly ask: AskKurisu;
  /** The other process has ended. */
  isOver(): boolean;
  close(): Promise<void>;
}

/** The parts of the configuration that commands of features have in common. A command names the further ones that it reads. */
export interface CommandConfiguration {
  readonly home: string;
  readonly store: Pick<StorePlace, "url">;
  readonly owners: readonly { readonly platform: string; readonly user: string }[];
  readonly persona: Persona;
  readonly zone: string;
}

/** The parts that the program gives to a command of a feature. */
export interface CommandContext<Settings = unknown> {
  /** The arguments after the command's name. */
  readonly arguments: readonly string[];
  readonly version: string;
  /** Reads the configuration anew. */
  readonly configuration: () => CommandConfiguration;
  /** The settings of the feature, read anew. */
  readonly settings: () => Settings;
  /** Opens the database of the data folder, beside a running Kurisu too. `secrets` are kept out of the audit. */
  readonly openStore: (secrets?: KnownSecrets) => Promise<Store>;
  /** Whether a variable of the environment is Kurisu's own: what others wrote must not have it. */
  readonly isOwnVariable: (name: string) => boolean;
  /** The Kurisu that runs on the data folder answers, else one that is put together for this one request. */
  readonly askKurisu: AskKurisu;
  /**
   * The same for several requests. `purpose` is told to the next one who wants the data folder. With `stays`, one that is
   * put together here is started, and other commands reach it over the socket.
   */
  readonly reachKurisu: (purpose: string, stays?: "stays") => Promise<ReachedKurisu>;
  /** The requests of `use` to the Kurisu that runs on the data folder; undefined = none does. */
  readonly askRunning: <T>(use: (ask: AskKurisu) => Promise<T>) => Promise<T | undefined>;
  /** Looks at what a start would find, without the data folder and the database. The caller stops the sandbox. */
  readonly inspect: () => Promise<{
    readonly registry: ToolRegistry;
    readonly sandbox: Pick<Sandbox, "examine" | "status" | "run" | "stop">;
  }>;
}

/** The work of a command, loaded when the command is run or asked for its help. */
export interface LoadedCommand<Context> {
  readonly help: string;
  /** Answers the exit code. */
  run(context: Context): Promise<number>;
}

/** A command of ./kurisu that a feature brings. */
export interface FeatureCommandLine<Settings = unknown> {
  readonly name: string;
  readonly alias?: string;
  /** Its line in the list of commands. */
  readonly summary: Readonly<Record<Language, string>>;
  /** Imports its module: the list of commands loads none. */
  load(): Promise<LoadedCommand<CommandContext<Settings>>>;
}
