import { signal, type ReadonlySignal } from "@preact/signals";
import type { MessagesView } from "../views/chats-views.ts";
import { callServer } from "./call-server.ts";

export const pageSize = 50;
/** The document never has more pages than this. */
const maxPages = 6;

/** Neighbouring pages of a transcript, by position: page 0 has the positions 1 to 50. */
interface LoadedPages {
  readonly pages: readonly MessagesView[];
  /** The number of the first of them. */
  readonly low: number;
  readonly total: number;
  readonly isLost: boolean;
}

interface PageWindow {
  readonly loaded: ReadonlySignal<LoadedPages | undefined>;
  /** Replaces the shown pages by those around a position; undefined = the newest. */
  jump(position: number | undefined, total: number): Promise<void>;
  grow(direction: "up" | "down"): Promise<void>;
  /** Takes the new number of messages, and reloads the last page if it is shown. */
  follow(total: number): Promise<void>;
}

export const pageOf = (position: number): number => Math.max(0, Math.floor((position - 1) / pageSize));

/** The loaded pages of one conversation. Answers to superseded requests are dropped. */
export function createPageWindow(path: `/${string}`): PageWindow {
  const loaded = signal<LoadedPages | undefined>(undefined);
  let asked = 0;
  let isGrowing = false;

  async function read(page: number): Promise<MessagesView | undefined> {
    const answer = await callServer<MessagesView>("GET", `${path}/messages?after=${page * pageSize}`);
    return answer.kind === "ok" ? answer.view : undefined;
  }

  async function show(low: number, high: number, total: number): Promise<void> {
    asked += 1;
    const mine = asked;
    const numbers = Array.from({ length: high - low + 1 }, (_, at) => low + at);
    const pages = await Promise.all(numbers.map(read));
    if (mine !== asked) return;
    const whole = pages.filter((page) => page !== undefined);
    const isLost = whole.length < pages.length;
    if (!isLost)
      loaded.value = { pages: whole, low, total: Math.max(total, ...whole.map((page) => page.total)), isLost };
    else loaded.value = { ...(loaded.value ?? { pages: [], low, total }), isLost };
  }

  return {
    loaded,
    jump(position, total) {
      const last = pageOf(total);
      const page = position === undefined ? last : Math.min(last, pageOf(position));
      return show(Math.max(0, page - 1), Math.min(last, position === undefined ? page : page + 1), total);
    },
    async grow(direction) {
      const now = loaded.value;
      if (now === undefined || isGrowing) return;
      const next = direction === "up" ? now.low - 1 : now.low + now.pages.length;
      if (next < 0 || next > pageOf(now.total)) return;
      isGrowing = true;
      const mine = asked;
      const page = await read(next);
      isGrowing = false;
      const then = loaded.value;
      if (mine !== asked || then === undefined) return;
      if (page === undefined) return void (loaded.value = { ...then, isLost: true });
      const total = Math.max(then.total, page.total);
      loaded.value =
        direction === "up"
          ? { low: next, pages: [page, ...then.pages].slice(0, maxPages), total, isLost: false }
          : {
              low: then.low + Math.max(0, then.pages.length + 1 - maxPages),
              pages: [...then.pages, page].slice(-maxPages),
              total,
              isLost: false,
            };
    },
    async follow(total) {
      const now = loaded.value;
      if (now === undefined) return;
      const end = now.low + now.pages.length - 1;
      const hadEnd = end >= pageOf(now.total);
      if (!hadEnd) return void (loaded.value = { ...now, total: Math.max(now.total, total) });
      const last = pageOf(total);
      const low = Math.max(Math.min(now.low, last), last - maxPages + 1);
      const kept = now.pages.slice(low - now.low, Math.max(0, end - low));
      asked += 1;
      const mine = asked;
      const first = low + kept.length;
      const fresh = await Promise.all(Array.from({ length: last - first + 1 }, (_, at) => read(first + at)));
      if (mine !== asked) return;
      const whole = fresh.filter((page) => page !== undefined);
      if (whole.length < fresh.length) return void (loaded.value = { ...now, isLost: true });
      const newest = Math.max(total, ...whole.map((page) => page.total));
      loaded.value = { low, pages: [...kept, ...whole], total: newest, isLost: false };
    },
  };
}
