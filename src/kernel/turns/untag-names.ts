import type { TurnResult } from "../agent/types.ts";
import { findTags, tagOf, takeOutTags } from "../../core/name-with-tag.ts";
import type { Store } from "../../store/open-store.ts";

/** A text of the model for people: the tags of people it knows are taken out. `growing` = more of the text comes. */
export type UntagNames = (text: string, options?: { readonly growing?: boolean }) => Promise<string>;

/** The database is asked only for a text that holds something like a tag; a colour in hexadecimal digits is nobody's. */
export function createUntagNames(store: Pick<Store, "listTaggedIds">): UntagNames {
  return async (text, options = {}) => {
    const found = findTags(text);
    const known = new Set(found.length === 0 ? [] : (await store.listTaggedIds()).map(tagOf));
    return takeOutTags(text, (tag) => known.has(tag), options);
  };
}

/** The result with people named as people are, in the words that go out; the conversation keeps the tags for the model. */
export async function untagSaid<Result extends TurnResult>(result: Result, untag: UntagNames): Promise<Result> {
  switch (result.kind) {
    case "replied":
      return { ...result, text: await untag(result.text) };
    case "awaitingApproval":
    case "awaitingTasks":
      return { ...result, shown: await untag(result.shown) };
    case "reported":
    case "failed":
    case "outage":
      return result;
  }
}
