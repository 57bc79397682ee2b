import { isTimeZone } from "./is-time-zone.ts";
import { z } from "zod";
import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import type { ChannelOptions } from "../channels/define-channel.ts";
import { byteSizeOption } from "../core/byte-size.ts";
import { busyOptions } from "../kernel/turns/busy-options.ts";
import { limitOptions } from "../kernel/inbox/limit-options.ts";
import { wholeNumber } from "../core/whole-number.ts";

/** The options of config/system/channels.yaml. */

const platforms: Readonly<Record<string, z.ZodType<ChannelOptions>>> = Object.fromEntries(
  channelDefinitions.map(({ name, options }) => [name, options]),
);

const zone = z.string().refine(isTimeZone, { error: "must be an IANA time zone such as Asia/Shanghai" });

const maxFileBytes = 50 * 1024 ** 2;
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
      .describe(
        "Language of people whose own language is not known yet. Default: zh; in a terminal, that of LANG, else en.",
      ),
    zone: zone
      .exactOptional()
      .describe("IANA time zone of people whose own is not known. Default: TZ, then the zone of the machine."),
    // Loses the types of the channels' keys, but keeps those of the others.
    ...(platforms as object),
    files: z
      .strictObject({
        size: byteSizeOption
          .refine((bytes) => bytes >= 1024 && bytes <= maxFileBytes, { error: "must be 1k to 50m" })
          .prefault("20m")
          .describe("Largest file she takes in from a message, 1k to 50m; Telegram hands over no more than 20m."),
        count: wholeNumber(0, 50).default(10).describe("Files of one message; 0 = none are taken."),
      })
      .prefault({})
      .describe("Files that people send; they are put into the workspace, under inbox/."),
    limits: limitOptions,
    busy: busyOptions,
    cli: z
      .strictObject({
        enabled: z.boolean().default(true).describe("false = `./kurisu start` opens no chat in its terminal."),
      })
      .prefault({})
      .describe("The chat in the terminal."),
  })
  .describe("Where people talk to her, and who she is there (config/system/channels.yaml).");
