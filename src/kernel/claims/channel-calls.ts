import { z } from "zod";
import type { ToolActivity } from "../../channels/tool-activity.ts";

/** The path on which a process answers calls of others to the platforms that it is connected to. */
export const channelCallPath = "/internal/channel";

/** The header that describes a fetched file, whose bytes are the body. */
export const fetchedFileHeader = "x-kurisu-file";

const address = z.object({
  platform: z.string(),
  account: z.string(),
  chat: z.string(),
  thread: z.string().nullable(),
});
const messageId = z.string();
const activity = z.looseObject({ id: z.string(), name: z.string(), summary: z.string(), phrase: z.string() });
export const liveTool = z.custom<ToolActivity>((value) => activity.safeParse(value).success);
const choice = z.object({ label: z.string(), data: z.string(), style: z.enum(["approve", "reject", "plain"]) });

/** The calls of a channel that only the process that is connected to the platform can answer, with their arguments. */
export const channelCalls = {
  fetchFile: z.tuple([address, z.record(z.string(), z.string()), z.object({ maxBytes: z.int().nonnegative() })]),
  show: z.tuple([
    z.object({ turn: z.string(), cause: z.string(), address, text: z.string(), tools: z.array(liveTool) }),
    z.string().optional(),
  ]),
  showTyping: z.tuple([address]),
  react: z.tuple([address, messageId, z.enum(["seen", "done", "failed", "none"])]),
  close: z.tuple([address, messageId, z.string()]),
  relabel: z.tuple([address, messageId, z.array(choice)]),
  remove: z.tuple([address, messageId]),
  answerPress: z.tuple([
    z.looseObject({ kind: z.literal("press"), address, messageId, data: z.string(), pressId: z.string() }),
    z.string(),
    z.enum(["done", "forbidden", "over", "failed"]).optional(),
  ]),
  isAdministrator: z.tuple([address, z.string()]),
  answerRequest: z.tuple([
    address,
    z.object({ request: z.enum(["friend", "join", "invitation"]), flag: z.string() }),
    z.boolean(),
  ]),
  eraseFiles: z.tuple([z.array(z.string()), z.boolean()]),
  eraseChatFiles: z.tuple([address]),
  readHistory: z.tuple([
    z.string(),
    z.object({
      count: z.int().positive(),
      after: z.object({ account: z.string(), older: z.string() }).optional(),
    }),
  ]),
} as const;

export type ChannelCall = keyof typeof channelCalls;

export const channelCallBody = z.object({
  platform: z.string(),
  call: z.enum(Object.keys(channelCalls) as [ChannelCall, ...ChannelCall[]]),
  arguments: z.array(z.unknown()),
});

/** The content of that header, encoded, because a file name may hold any letters. */
export const fetchedFileAbout = z.object({ name: z.string().optional(), mimeType: z.string().optional() });
