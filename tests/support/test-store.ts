import type { Store, StorePlace } from "../../src/store/open-store.ts";
import { openStore } from "./open-store.ts";
import { ensureSession } from "../../src/store/queries/sessions.ts";
import { untilTestEnds } from "./keep-until.ts";
import { createStorePlace, type EngineName } from "./store-engines.ts";

/** A store of its own, closed and removed when the test is over. */
export async function createTestStore(engine: EngineName = "sqlite"): Promise<Store & { readonly home: string }> {
  const place = await createStorePlace(engine);
  return { ...(await openTestStore(place)), home: place.home };
}

/** Opens a store that is there already, until the test is over. */
export async function openTestStore(place: StorePlace): Promise<Store> {
  const store = await openStore(place);
  untilTestEnds(() => store.close());
  return store;
}

export async function addSession(store: Store, id: string): Promise<string> {
  await ensureSession(store.main, {
    id,
    platform: "fake",
    account: "bot",
    chat: id,
    thread: null,
    chatKind: "private",
    language: "zh",
    now: 0,
  });
  return id;
}
