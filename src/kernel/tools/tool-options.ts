import { z } from "zod";
import { byteSizeOption } from "../../core/byte-size.ts";
import { durationOption } from "../../core/duration.ts";
import { hostPattern } from "../gate/rule-options.ts";
import { resolveAlias } from "../gate/tool-aliases.ts";
import { wholeNumber } from "../../core/whole-number.ts";

export const engineNames = ["searxng", "tavily", "brave"] as const;
export type EngineName = (typeof engineNames)[number];

/** A text for the model, or one in Chinese and one in English. */
export const describedText = z
  .union([
    z.string().min(1),
    z.strictObject({
      zh: z.string().min(1).describe("In Chinese."),
      en: z.string().min(1).describe("In English; people who speak Japanese get it, too."),
    }),
  ])
  .transform((text) => (typeof text === "string" ? { zh: text, en: text } : text));

export const toolName = z
  .string()
  .regex(/^[\w.:-]+$/, { error: "must be the name of a tool" })
  .transform(resolveAlias);

const own = {
  host: z
    .boolean()
    .describe(
      "browser: true = Chromium runs on this machine and not in a container (docs/security/network-and-http.md#the-browser). Default: `false`.",
    ),
  image: z
    .string()
    .min(1)
    .describe(
      "browser: image that Chromium runs in; `npm run sandbox:image -- --browser` builds it. Default: `kurisu-browser:latest`.",
    ),
  executable: z
    .string()
    .min(1)
    .describe(
      "browser: the Chromium that browser and screenshot start where host is true. Default: one in a usual place.",
    ),
  maxTimeout: durationOption
    .refine((milliseconds) => milliseconds >= 1000 && milliseconds <= 300_000, { error: "must be 1s to 5m" })
    .describe("shell: longest time that a call may name, 1s to 5m. Default: 5m."),
  followTimeout: durationOption
    .refine((milliseconds) => milliseconds >= 1000 && milliseconds <= 3_600_000, { error: "must be 1s to 1h" })
    .describe("shell: how long a followed command may run, 1s to 1h. Default: 10m."),
  limit: wholeNumber(1, 1000).describe(
    "file_read, glob, grep: lines, paths or matches when a call names no number. Default: 200, grep 100.",
  ),
  maxBytes: byteSizeOption.describe(
    "fetch: content of a page when a call names no size, such as 64k; send_file: the largest file. Default: 200000 bytes; that of the platform.",
  ),
  format: z
    .enum(["markdown", "text", "raw"])
    .describe("fetch: what a page becomes when a call does not say. Default: markdown."),
  hosts: z
    .array(hostPattern)
    .min(1)
    .describe(
      "fetch: the only hosts it reads, redirects as well; *.example.com = every name below it. Default: every public host.",
    ),
  engines: z
    .array(z.enum(engineNames))
    .min(1)
    .describe(
      "web_search: engines that are asked, of those that are set, in this order. Default: searxng, tavily, brave.",
    ),
  maxResults: wholeNumber(1, 20).describe("web_search: results when a call names no number. Default: 5."),
  depth: z
    .enum(["basic", "advanced"])
    .describe("web_search: how far it looks when a call does not say. Default: basic."),
  sites: z
    .array(z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: "must be a host such as docs.python.org" }))
    .min(1)
    .max(10)
    .describe("web_search: only pages of these hosts and of names below them. Default: the whole web."),
  width: wholeNumber(200, 2560).describe("screenshot: width of the window when a call names none. Default: 1280."),
  height: wholeNumber(200, 2560).describe("screenshot: its height. Default: 800."),
} as const;

export type OwnOption = keyof typeof own;

/** The options of single tools, by name. */
export const ownOptions = z.strictObject(own).partial();

/** The tools' own options, as their factories take them. */
export type ToolOptions = {
  readonly [Name in keyof z.output<typeof ownOptions>]?: Exclude<z.output<typeof ownOptions>[Name], undefined>;
};

/** The settings of single tools in tools.yaml. */
export interface ToolSettings {
  readonly exclude: readonly string[];
  /** The replacing tool by the name of a built-in one. */
  readonly overrides: Readonly<Partial<Record<string, string>>>;
  readonly options: Readonly<Record<string, ToolOptions>>;
}
