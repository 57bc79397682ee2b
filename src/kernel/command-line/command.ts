import type { Language } from "../../core/conversation.ts";
import type { KnownSecrets } from "../../core/known-secrets.ts";
import type { Persona } from "../../core/persona/persona.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Store, StorePlace } from "../../store/open-store.ts";
import type { FeatureRequest } from "../socket/answer-request.ts";
import type { ToolRegistry } from "../tools/registry.ts";

/** Sends Kurisu one request; the hook `requests` of a feature answers. The signal cancels it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Callers name the type of their request, which is checked in full.
export type AskKurisu = <Request extends FeatureRequest>(request: Request, signal?: AbortSignal) => Promise<string>;

/** The Kurisu that holds a data folder, in this process or in another one. */
export interface ReachedKurisu {
  /** Whether she runs in another process. */
  readonly isRunning: boolean;
  readonly ask: AskKurisu;
  /** Whether the other process has ended. */
  isOver(): boolean;
  close(): Promise<void>;
}

/** The parts of the configuration that all feature commands share. A command names the further ones that it reads. */
export interface CommandConfiguration {
  readonly home: string;
  readonly store: Pick<StorePlace, "url">;
  readonly owners: readonly { readonly platform: string; readonly user: string }[];
  readonly persona: Persona;
  readonly zone: string;
}

/** The context that the program passes to a feature's command. */
export interface CommandContext<Settings = unknown> {
  /** The arguments after the command's name. */
  readonly arguments: readonly string[];
  readonly version: string;
  /** Reads the configuration again. */
  readonly configuration: () => CommandConfiguration;
  /** Reads the settings of the feature again. */
  readonly settings: () => Settings;
  /** Opens the database of the data folder, also while Kurisu runs. `secrets` are kept out of the audit. */
  readonly openStore: (secrets?: KnownSecrets) => Promise<Store>;
  /** Whether an environment variable belongs to Kurisu: foreign content must not get its value. */
  readonly isOwnVariable: (name: string) => boolean;
  /** Asks the Kurisu that runs on the data folder, or one assembled for this request. */
  readonly askKurisu: AskKurisu;
  /**
   * The same for several requests. `purpose` is shown to the next process that wants the data folder. With `stays`, a
   * Kurisu assembled here is also started, so that other commands reach it over the socket.
   */
  readonly reachKurisu: (purpose: string, stays?: "stays") => Promise<ReachedKurisu>;
  /** Passes requests to the Kurisu that runs on the data folder. Returns undefined when none does. */
  readonly askRunning: <T>(use: (ask: AskKurisu) => Promise<T>) => Promise<T | undefined>;
  /** Inspects what a start would find, without the data folder and the database. The caller stops the sandbox. */
  readonly inspect: () => Promise<{
    readonly registry: ToolRegistry;
    readonly sandbox: Pick<Sandbox, "examine" | "status" | "run" | "stop">;
  }>;
}

/** The implementation of a command, loaded when the command is run or its help is shown. */
export interface LoadedCommand<Context> {
  readonly help: string;
  /** Returns the exit code. */
  run(context: Context): Promise<number>;
}

/** A command of ./kurisu that a feature adds. */
export interface FeatureCommandLine<Settings = unknown> {
  readonly name: string;
  readonly alias?: string;
  /** Its line in the list of commands. */
  readonly summary: Readonly<Record<Language, string>>;
  /** A running Kurisu carries it out by her own configuration, so a faulty file does not stop it then. */
  readonly byRunning?: true;
  /** Imports its module; listing the commands loads none. */
  load(): Promise<LoadedCommand<CommandContext<Settings>>>;
}
