import { z } from "zod";
import { formatMessages, logFormats } from "../format-messages.ts";
import { defineLogTool } from "./define-log-tool.ts";
import { loadGiven, messagesInput, readNumbers } from "./given-messages.ts";
import type { LogParts } from "./open-log.ts";
import { readyMessages } from "./show-messages.ts";

export function createFormatMessagesTool(parts: LogParts) {
  return defineLogTool(parts, {
    name: "format_messages",
    description: {
      zh: "把一些聊天记录（编号，或读到的消息）排成好读的文字：compact 一条一行，timeline 按天分开，detailed 带聊天和链接。超过 max_chars 就整条省略，并说明省了几条。",
      en: "Lays messages of the chat log (numbers, or messages as they were read) out for reading: compact one a line, timeline by days, detailed with chat and link. Beyond max_chars whole messages are left out, and it says how many.",
    },
    input: z.strictObject({
      messages: messagesInput,
      format: z.enum(logFormats).default("compact"),
      max_chars: z.int().min(100).max(20_000).default(4_000),
    }),
    summarize: ({ format }) => format,
    async read({ format, max_chars: maxLength, messages: given }, log, context) {
      const loaded = await loadGiven(log, readNumbers(given));
      if (!loaded.ok) return loaded;
      const { readable, sources, taint } = await readyMessages(log, loaded.messages, context);
      const { language, zone } = context;
      const { leftOut, shown, text } = formatMessages(readable, { format, maxLength, zone, language });
      return {
        output: {
          text,
          shown,
          left_out: leftOut,
          ...(loaded.missing.length > 0 && { not_there: loaded.missing }),
        },
        message: String(shown),
        taint,
        sources,
      };
    },
  });
}
