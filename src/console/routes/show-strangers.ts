import { makeVisible } from "../../core/persona/show-payload.ts";
import type { StrangerRequests } from "../../kernel/people/stranger-requests.ts";
import { listPairings } from "../../store/queries/people.ts";
import type { Store } from "../../store/open-store.ts";
import type { RequestView, StrangerView, TodayView } from "../views/today-views.ts";

/** Strangers with a code, and the requests of platforms. */
export async function showStrangers(
  {
    store,
    strangers: keepers,
  }: { readonly store: Pick<Store, "main">; readonly strangers: readonly Pick<StrangerRequests, "list">[] },
  now: number,
): Promise<Pick<TodayView, "requests" | "strangers">> {
  const [strangers, requests] = await Promise.all([
    listPairings(store.main, now),
    Promise.all(keepers.map((one) => one.list())),
  ]);
  return {
    strangers: strangers.map(({ code, expires_at: expires, name, person }): StrangerView => ({
      code,
      name: makeVisible(name),
      person: makeVisible(person),
      expires,
    })),
    requests: requests.flat().map(({ chat, code, comment, expiresAt, id, kind, person, platform }): RequestView => ({
      id,
      code,
      kind,
      person: makeVisible(`${platform}:${person}`),
      chat: makeVisible(chat),
      comment: makeVisible(comment),
      expires: expiresAt,
    })),
  };
}
