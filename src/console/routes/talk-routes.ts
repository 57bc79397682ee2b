import { z } from "zod";
import { nameOwnMessage, ownChatAddress, type ConsoleChannel } from "../../channels/own-chats/console-channel.ts";
import { readBody } from "../../channels/read-body.ts";
import type { Language } from "../../core/conversation.ts";
import { detectImage } from "../../core/media-type.ts";
import type { Store } from "../../store/open-store.ts";
import { findInboxItem } from "../../store/queries/inbox.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import { findLanguage } from "../door/find-language.ts";
import {
  maxFileBytes,
  maxFiles,
  maxSaidLength,
  type OwnFileView,
  type SaidView,
  type RecalledView,
} from "../views/talk-views.ts";

export interface TalkParts {
  readonly ownChats: Pick<ConsoleChannel, "capabilities" | "fetchFile" | "files" | "say" | "recall">;
  readonly store: Pick<Store, "main">;
  readonly language: () => Language;
}

/** The JSON of the longest text with every character escaped, and of the other fields. */
const maxBody = maxSaidLength * 6 + 16 * 1024;
const maxName = 1_000;

const said = z.strictObject({
  text: z.string(),
  files: z.array(z.uuid()).max(maxFiles).default([]),
  key: z.uuid(),
});
const badName = "The name of a chat has letters, digits, - and _, 40 at most.";
const chatName = /^[\w-]{1,40}$/;

/** The owner's own chats with her, and their files. */
export function listTalkRoutes({ language, ownChats, store }: TalkParts): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/chats/:name/messages",
      role: "owner",
      async answer(context) {
        const chat = context.req.param("name") ?? "";
        if (!chatName.test(chat)) return refuse(context, 400, badName);
        const given = said.safeParse(await readJson(context, maxBody));
        if (!given.success)
          return refuse(context, 400, "A text, the ids of its files and a UUID as its key are needed.");
        const { files, key } = given.data;
        const text = given.data.text.toWellFormed();
        if (text.length > maxSaidLength)
          return refuse(context, 400, `The text has ${text.length} characters; ${maxSaidLength} is the most.`);
        if (text.trim() === "" && files.length === 0) return refuse(context, 400, "The message is empty.");
        const locale = findLanguage(context, language());
        const cause = await ownChats.say({ chat, text, files, key, locale });
        if (cause === undefined) return refuse(context, 400, "One of the files is not there any more.");
        return context.json({ cause } satisfies SaidView, 202);
      },
    },
    {
      method: "DELETE",
      path: "/chats/:name/messages/:key",
      role: "owner",
      async answer(context) {
        const chat = context.req.param("name") ?? "";
        const key = said.shape.key.safeParse(context.req.param("key"));
        if (!chatName.test(chat)) return refuse(context, 400, badName);
        if (!key.success) return refuse(context, 400, "The key of a message is a UUID.");
        const stored = await findInboxItem(store.main, nameOwnMessage(chat, key.data));
        const isSaid = stored?.kind === "message" && (stored.state === "done" || stored.state === "dead");
        if (!isSaid) await ownChats.recall({ chat, key: key.data });
        return context.json({ isSaid } satisfies RecalledView);
      },
    },
    {
      method: "POST",
      path: "/files",
      role: "owner",
      takes: "bytes",
      async answer(context) {
        const name = context.req.query("name")?.slice(0, maxName) ?? "";
        const read = await readBody(context.req.raw, maxFileBytes);
        switch (read.kind) {
          case "too-large":
            return refuse(context, 413, `A file has ${maxFileBytes / 1024 / 1024} MB at most.`);
          case "broken":
            return refuse(context, 400, "The file did not arrive whole.");
          case "read": {
            const { type: _, ...file } = await ownChats.files.keep(read.body, name);
            return context.json(file satisfies OwnFileView, 201);
          }
        }
      },
    },
    {
      method: "GET",
      path: "/files/:id",
      role: "owner",
      async answer(context) {
        const id = context.req.param("id") ?? "";
        const limits = { maxBytes: ownChats.capabilities.fileLimit, signal: context.req.raw.signal };
        const found = await ownChats.fetchFile(ownChatAddress(""), { id }, limits);
        if (found.kind !== "fetched") return refuse(context, 404, "There is no such file.");
        const { content, name = "file" } = found;
        // The name of a file, and the type that it claims, count for nothing: a page of HTML would run here as ours.
        const picture = detectImage(content);
        return context.body(new Uint8Array(content), 200, {
          "Content-Type": picture ?? "application/octet-stream",
          "Content-Disposition": `${picture === undefined ? "attachment" : "inline"}; filename*=UTF-8''${encodeName(name)}`,
          "Content-Security-Policy": "default-src 'none'; sandbox",
          "X-Content-Type-Options": "nosniff",
        });
      },
    },
  ];
}

/** As RFC 8187 wants it. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
