import type { ChatAddress, InboundMessage } from "./types.ts";

/** Messages of people, oldest first. `older` = there may be more before them; it is told for the next page. */
export type HistoryPage =
  | {
      readonly kind: "page";
      readonly address: ChatAddress;
      readonly messages: readonly InboundMessage[];
      readonly older?: string;
    }
  /** It cannot be had; the reason is one line. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** Which page of a chat's history: the newest, or the one before. */
export interface HistoryPlace {
  readonly count: number;
  /** Of the page before: whose history it is, and where that page began. Absent = the newest page. */
  readonly after?: { readonly account: string; readonly older: string };
}

/** Pages of what a platform keeps of a chat, backwards. Never throws. */
export type ReadHistory = (chat: string, page: HistoryPlace) => Promise<HistoryPage>;
