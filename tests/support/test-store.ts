import { onTestFinished } from "vitest";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { ensureSession } from "../../src/store/queries/sessions.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A store on files of its own, closed when the test is over. */
export async function createTestStore(home?: string): Promise<Store & { readonly home: string }> {
  const folder = home ?? (await createTemporaryFolder());
  const store = await openStore(folder);
  onTestFinished(() => store.close());
  return { ...store, home: folder };
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
