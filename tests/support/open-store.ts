import { tables } from "../../src/assembly/features.ts";
import { openStore as openStoreWith, type Store, type StorePlace } from "../../src/store/open-store.ts";

/** Opens a store with the tables of every feature. */
export function openStore(place: StorePlace): Promise<Store> {
  return openStoreWith(place, tables);
}
