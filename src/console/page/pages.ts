import { pathTo } from "./router.ts";
import { isMember } from "./viewer.ts";

const pages = ["today", "chats", "her", "abilities", "system"] as const;
export type PageName = (typeof pages)[number];
const ofMembers: readonly PageName[] = ["today", "chats", "her"];

/** The pages that the person who is signed in may see. */
export const listPages = (): readonly PageName[] => (isMember.value ? ofMembers : pages);

export const pathOfPage = (name: PageName): string => pathTo(name === "today" ? [] : [name]);
