import { z } from "zod";
import { byteSizeOption } from "../core/byte-size.ts";
import { limitOptions } from "./oversight/limit-options.ts";

/** What config/system/channels.yaml may say. */

/** Platform ids; people write Telegram's and QQ's as numbers. */
const id = z
  .union([
    z.string({ error: "must be text" }).trim().min(1, { error: "must not be empty" }),
    z.int({ error: "a whole number" }),
  ])
  .transform(String);

const platformKeys = z.strictObject({
  enabled: z.boolean().default(true).describe("false = this channel stays off even if its variables are set."),
  allow: z.array(id).prefault([]).describe("Ids of people who may talk to her without a pairing code."),
  trusted: z
    .array(id)
    .prefault([])
    .describe("Ids of people who are trusted: rules and approver lists may name that role."),
  admins: z
    .enum(["trusted", "member"])
    .exactOptional()
    .describe("What the platform's own administrators of a group are there. Default: what they are anyway."),
  groups: z
    .array(id)
    .prefault([])
    .describe("Ids of the groups she takes part in; * = every one. An owner opens others with /pair."),
  mentionOnly: z
    .boolean()
    .default(true)
    .describe("In groups she answers only what addresses her: a mention, a reply to her, a command."),
});
const platform = platformKeys.prefault({});

const onebot = platformKeys
  .extend({
    messageFormat: z
      .enum(["array", "string"])
      .default("array")
      .describe(
        "How messages are sent: segments (array), or CQ codes (string) for an implementation that knows no others.",
      ),
  })
  .prefault({});

export type PlatformOptions = z.output<typeof platform>;
export type OneBotOptions = z.output<typeof onebot>;

const zone = z.string().refine(isTimeZone, { error: "must be an IANA time zone such as Asia/Shanghai" });

const mostFileBytes = 50 * 1024 ** 2;
const fileCount = { error: "must be a whole number, 0 to 50" };

export const channelsOptions = z
  .strictObject({
    persona: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]*$/, { error: "must be the name of a folder in config/personas" })
      .default("kurisu")
      .describe("Who she is: a folder in config/personas."),
    language: z
      .enum(["zh", "en", "ja"])
      .exactOptional()
      .describe("Language of people whose own language is not known yet. Default: zh; in a terminal, that of LANG."),
    zone: zone
      .exactOptional()
      .describe("IANA time zone of people whose own is not known. Default: the zone of the machine."),
    telegram: platform.describe("Telegram; on when TELEGRAM_BOT_TOKEN is set."),
    onebot: onebot.describe("QQ through OneBot 11; on when ONEBOT_WS_URL or ONEBOT_ACCESS_TOKEN is set."),
    qq: platform.describe("The official QQ bot; on when QQ_APP_ID is set."),
    files: z
      .strictObject({
        size: byteSizeOption
          .refine((bytes) => bytes >= 1024 && bytes <= mostFileBytes, { error: "must be 1k to 50m" })
          .prefault("20m")
          .describe("Largest file she takes in from a message; Telegram hands over no more than 20m."),
        count: z
          .int(fileCount)
          .min(0, fileCount)
          .max(50, fileCount)
          .default(10)
          .describe("Files of one message; 0 = none are taken."),
      })
      .prefault({})
      .describe("Files that people send; they are put into the workspace, under inbox/."),
    limits: limitOptions,
    cli: z
      .strictObject({
        enabled: z.boolean().default(true).describe("false = `./kurisu start` opens no chat in its terminal."),
      })
      .prefault({})
      .describe("The chat in the terminal."),
  })
  .describe("Where people talk to her, and who she is there (config/system/channels.yaml).");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
