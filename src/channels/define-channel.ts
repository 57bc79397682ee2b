import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Store } from "../store/open-store.ts";
import type { HttpRoutes } from "./http-routes.ts";
import type { Channel } from "./types.ts";

/** Platform ids; people write Telegram's and QQ's as numbers. */
const id = z
  .union([
    z.string({ error: "must be text" }).trim().min(1, { error: "must not be empty" }),
    z.int({ error: "a whole number" }),
  ])
  .transform(String);

/** Options of channels.yaml that every chat platform has. */
export const channelOptions = z.strictObject({
  enabled: z.boolean().default(true).describe("false = this channel stays off even if its variables are set."),
  allow: z.array(id).prefault([]).describe("Ids of people who may talk to her without a pairing code."),
  trusted: z
    .array(id)
    .prefault([])
    .describe("Ids of people who are trusted; they need not stand in allow (docs/security.md#who-is-who)."),
  admins: z
    .enum(["trusted", "member"])
    .exactOptional()
    .describe("What the administrators of a group are there, never owner. Default: what they are anyway."),
  groups: z
    .array(id)
    .prefault([])
    .describe("Ids of the groups she takes part in, * = every one; an owner opens others with /pair there."),
  mentionOnly: z
    .boolean()
    .default(true)
    .describe(
      "In groups she answers only a mention, a reply to her or a command; false = also who calls her by name, goes on with her, or asks all (docs/channels.md#when-she-answers-in-a-group).",
    ),
  answerAll: z
    .boolean()
    .default(false)
    .describe("With `mentionOnly: false` she answers each message of a group, whomever it is for."),
  observe: z
    .boolean()
    .default(false)
    .describe(
      "What is said in a group beside her goes to the model with her next turn there, as words of others (docs/channels.md#what-is-said-beside-her).",
    ),
});

/** For channels whose platform has reactions. */
export const reactionsOption = z
  .boolean()
  .default(true)
  .describe(
    "In groups she puts an emoji under a message that she works on for more than a second (docs/channels.md#emoji-under-messages).",
  );

export type ChannelOptions = z.output<typeof channelOptions>;

/** Settings of a channel that is on: who may talk, plus its own options and credentials. */
export type ChannelSettings = Readonly<Omit<ChannelOptions, "enabled">>;

/** The chat commands of one language, for a platform that lists them when a user types a slash. */
export interface CommandMenu {
  /** ISO 639-1; absent for the menu of users whose language has none of its own. */
  readonly languageCode?: string;
  readonly commands: readonly {
    /** 1 to 32 of a-z, 0-9 and _. */
    readonly command: string;
    /** 1 to 256 characters. */
    readonly description: string;
    /** In a group it would be noise, or is no business of the group's. */
    readonly privateOnly: boolean;
  }[];
}

/** Parts of the gateway that a channel may use. */
interface ChannelParts {
  /** The data folder. */
  readonly home: string;
  readonly http: HttpRoutes;
  readonly store: Pick<Store, "main">;
  /** Whether a preview of the session's calls is running. */
  readonly isPreviewRunning: (session: string) => boolean;
  readonly menus: readonly CommandMenu[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** A line of `doctor` about a channel. warning = it works, but people should know. */
export interface ChannelProbe {
  readonly state: "ok" | "warning" | "broken";
  readonly detail: string;
}

/** A chat platform as the configuration, the assembly and the doctor see it. */
export interface ChannelDefinition<
  Options extends ChannelOptions = ChannelOptions,
  Environment extends z.ZodRawShape = z.ZodRawShape,
  Settings extends ChannelSettings = ChannelSettings,
> {
  /** Its section of channels.yaml. */
  readonly name: string;
  /** The prefix of its people and chats: `telegram:123`. */
  readonly platform: string;
  /**
   * Its people are names that a client chooses; the credentials prove the client alone. A holder of these can speak as
   * any user there: people are let in without a code if `allow` holds `*`, and no code makes one of them an owner.
   */
  readonly namedByClients?: true;
  readonly options: z.ZodType<Options>;
  readonly environment: Environment;
  /** A variable that means nothing, or is a danger, without another one. */
  readonly needs?: readonly {
    readonly variable: keyof Environment & string;
    readonly needed: keyof Environment & string;
    readonly reason: string;
  }[];
  /** Any of the variables switches it on; `hint` = where they come from. */
  readonly credentials: { readonly variables: readonly (keyof Environment & string)[]; readonly hint: string };
  /** Undefined when it has no credentials, so it is off. */
  configure(options: Omit<Options, "enabled">, values: z.output<z.ZodObject<Environment>>): Settings | undefined;
  /** How long a question may stay open there, milliseconds, where the platform limits the time to answer. */
  readonly longestQuestionMs?: Readonly<Partial<Record<"private" | "group", number>>>;
  /**
   * Names under which a reverse proxy passes the platform's requests on, each as in the header `Host`, with the routes that
   * it opens; a route that ends with a slash includes every path below it.
   */
  listPublicNames?(settings: Settings): readonly { readonly host: string; readonly routes: readonly string[] }[];
  /** Imports what takes long to load. `settings` = as of now; what only the start reads is listed in keysOfTheStart. */
  create(settings: () => Settings, parts: ChannelParts): Promise<Channel>;
  doctor(settings: Settings, log: Logger): Promise<ChannelProbe>;
}

/** Checks a definition against its own types; readers of the list see settings of unknown types. */
export function defineChannel<
  Options extends ChannelOptions,
  Environment extends z.ZodRawShape,
  Settings extends ChannelSettings,
>(definition: ChannelDefinition<Options, Environment, Settings>): ChannelDefinition {
  return definition;
}
