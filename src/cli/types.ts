import type { Logger } from "pino";
import type { CommandLineChannel } from "../channels/terminal/command-line-channel.ts";
import type { Configuration, ProcessEnvironment } from "../config.ts";
import type { Words } from "../core/words/dictionary.ts";
import type { Language } from "../core/conversation.ts";
import type { Persona } from "../core/persona/persona.ts";
import type { AskKurisu, LoadedCommand } from "../kernel/command-line/command.ts";
import type { Gateway } from "../kernel/gateway.ts";
import type { CompleteLine } from "../kernel/socket/complete-line.ts";
import type { FindQuestionEnd, ReadConversation } from "../kernel/socket/read-conversation.ts";
import type { Readiness } from "../kernel/http/mount-readiness.ts";
import type { PinnedTool } from "../features/mcp/pins/pin-book.ts";
import type { ProbedServer } from "../features/mcp/probe-servers.ts";
import type { Models } from "../models/types.ts";
import type { Sandbox } from "../sandbox/types.ts";
import type { NodeRole } from "../store/engines/open-cluster.ts";
import type { Store } from "../store/open-store.ts";
import type { ToolRegistry } from "../kernel/tools/registry.ts";

/** The way into the web console. */
export interface ConsoleDoor {
  readonly hasPassword: boolean;
  /** For a browser on this machine. */
  readonly address: () => string;
  /** A code that is valid once; the one before it opens nothing any more. Throws AppError when nothing listens. */
  readonly makeCode: () => Promise<{ readonly code: string; readonly expiresAt: number }>;
}

/** Kurisu put together. `stop` undoes `start` and closes everything. */
export interface Kurisu {
  readonly configuration: Configuration;
  readonly store: Store;
  readonly gateway: Gateway;
  readonly commandLine: CommandLineChannel;
  readonly models: Models;
  readonly sandbox: Sandbox;
  readonly registry: ToolRegistry;
  readonly persona: () => Persona;
  readonly terminalLanguage: () => Language;
  readonly readiness: () => Promise<Readonly<Record<string, Readiness>>>;
  /** Shown at start while there is no owner; undefined afterwards. */
  readonly ownerCode: () => Promise<string | undefined>;
  readonly webConsole: ConsoleDoor;
  /** Conversations of the command line, by chat. */
  readonly readConversation: ReadConversation;
  readonly findQuestionEnd: FindQuestionEnd;
  readonly completeLine: CompleteLine;
  /** Answers a request as a feature does over the socket. */
  readonly answer: AskKurisu;
  readonly log: Logger;
  /** server = channels, HTTP and the socket; client = one session only, with the socket when it stays. Answers where HTTP listens. */
  start(
    role: { readonly kind: "server" } | { readonly kind: "client"; readonly session: string; readonly stays: boolean },
  ): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** The parts for a look; the sandbox reports its state, and runs only what the command gives it. */
export type Inspected = Pick<Kurisu, "configuration" | "registry" | "log"> & {
  readonly sandbox: Pick<Sandbox, "examine" | "status" | "run" | "stop">;
  /** Starts every MCP server once, except those without an approval. */
  readonly probeMcp: (
    unapproved: readonly string[],
    /** Takes the progress of a start that has to install something first. */
    tell: (line: string) => void,
    /** The database can be read; without it no server gets its login. */
    hasStore: boolean,
  ) => Promise<readonly ProbedServer[]>;
};

/** The parts that main gives to a command. */
export interface CommandContext {
  /** The arguments after the command's name. */
  readonly arguments: readonly string[];
  readonly version: string;
  readonly environment: ProcessEnvironment;
  readonly configuration: () => Configuration;
  /** The same, with the defaults in place of each faulty file; undefined when that is not enough. */
  readonly tolerantConfiguration: () => Configuration | undefined;
  /** Takes the data folder's lock. Logs go to a file when `quiet`. */
  readonly assemble: (
    configuration: Configuration,
    options: { readonly purpose: string; readonly quiet: boolean; readonly role?: NodeRole },
  ) => Promise<Kurisu>;
  readonly isOwnVariable: (name: string) => boolean;
  /**
   * Puts together only what can be looked at without the data folder and the database. Tools of MCP servers are there as far as
   * they are `pinned`.
   */
  readonly inspect: (configuration: Configuration, pinned?: readonly PinnedTool[]) => Promise<Inspected>;
}

export interface Command extends LoadedCommand<CommandContext> {
  readonly name: keyof Words["cli"]["commands"];
}
