import { z } from "zod";
import { formatIso } from "../../../core/schedule/zoned-time.ts";
import { joinTaint } from "../../../core/taint.ts";
import { identify, isHer, tagged } from "../find-senders.ts";
import { isNamedByOthers, nameChat } from "../name-places.ts";
import { listLogSenders, measureLog, readLogChats } from "../queries/chat-log-people.ts";
import { defineLogTool } from "./define-log-tool.ts";
import type { LogParts } from "./open-log.ts";

const maxListed = 30;

export function createGetChatlogStatsTool(parts: LogParts) {
  return defineLogTool(parts, {
    name: "get_chatlog_stats",
    description: {
      zh: "聊天记录的概况：一共多少条、谁说了多少、从什么时候到什么时候。只算对方自己在场的聊天；在群里只算本群。",
      en: "The chat log at a glance: how many messages, by whom, from when to when. Only chats the person takes part in; in a group only that group.",
    },
    input: z.strictObject({}),
    summarize: () => "",
    async read(_, log, context) {
      const { accounts, chats, db } = log;
      const names = await listLogSenders(db, chats);
      const { bySender, from, to } = await measureLog(db, { chats, senders: names.map(({ id }) => id) });
      const total = [...bySender.values()].reduce((sum, count) => sum + count, 0);
      const people = Map.groupBy(
        names.map((one) => ({ ...one, count: bySender.get(one.id) ?? 0 })),
        identify,
      );
      const senders = [...people.values()]
        .flatMap((theirs) => {
          const usual = theirs.toSorted((a, b) => b.count - a.count)[0];
          return usual
            ? [{ name: isHer(usual) ? "you" : tagged(usual), count: theirs.reduce((sum, { count }) => sum + count, 0) }]
            : [];
        })
        .toSorted((a, b) => b.count - a.count);
      const places = await readLogChats(db, chats);
      const others = places.some(isNamedByOthers) || names.some((one) => !isHer(one) && !accounts.includes(one.person));
      return {
        output: {
          total,
          senders: senders.slice(0, maxListed),
          ...(senders.length > maxListed && { senders_left_out: senders.length - maxListed }),
          chats: places.slice(0, maxListed).map((chat) => ({ name: nameChat(chat), kind: chat.kind })),
          from: from === undefined ? null : formatIso(from, context.zone),
          to: to === undefined ? null : formatIso(to, context.zone),
        },
        message: String(total),
        // It holds names that others gave themselves, but none of their words.
        taint: others ? joinTaint(context.taint, "exposed") : context.taint,
      };
    },
  });
}
