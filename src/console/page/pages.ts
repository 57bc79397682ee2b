import { pathTo } from "./router.ts";

export const pages = ["today", "chats", "her", "abilities", "system"] as const;
export type PageName = (typeof pages)[number];

export const pathOfPage = (name: PageName): string => pathTo(name === "today" ? [] : [name]);
