import type { TurnResult } from "../agent/types.ts";
import { findTags, tagOf, takeOutTags } from "../../core/name-with-tag.ts";
import type { Store } from "../../store/open-store.ts";

/** Removes the tags of known people from the model's text. `growing` means that more text follows. */
export type UntagNames = (text: string, options?: { readonly growing?: boolean }) => Promise<string>;

/** Queries the database only for a text that contains something like a tag; a hexadecimal colour matches no person. */
export function createUntagNames(store: Pick<Store, "listTaggedIds">): UntagNames {
  return async (text, options = {}) => {
    const found = findTags(text);
    const known = new Set(found.length === 0 ? [] : (await store.listTaggedIds()).map(tagOf));
    return takeOutTags(text, (tag) => known.has(tag), options);
  };
}

/** Replaces tags by names in the outgoing text; the conversation keeps the tags for the model. */
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
