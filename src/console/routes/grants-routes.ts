import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { makeVisible, showName } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import { revokeGrant } from "../../kernel/gate/make-grants.ts";
import { versionOf, type PermissionRules } from "../../kernel/gate/permission.ts";
import { describePattern } from "../../kernel/questions/describe-grants.ts";
import type { Store } from "../../store/open-store.ts";
import { listLiveGrants, type Grant } from "../../store/queries/grants.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import { findLanguage } from "../door/find-language.ts";
import { refuse, type Route } from "../door/guard.ts";
import { nameSessions } from "../names/name-sessions.ts";
import type { GrantsView, GrantView } from "../views/abilities-views.ts";

export interface GrantsParts {
  readonly store: Store;
  readonly rules: () => PermissionRules;
  readonly language: () => Language;
  readonly clock: Clock;
}

/** The grants of every chat that hold now, and the end of one. */
export function listGrantsRoutes(parts: GrantsParts): readonly Route[] {
  const { clock, store } = parts;
  const list = (now: number) => listLiveGrants(store.main, { now, policy: versionOf(parts.rules()) });
  return [
    {
      method: "GET",
      path: "/grants",
      role: "owner",
      async answer(context) {
        const now = clock.now();
        const grants = await list(now);
        const sessions = [...new Set(grants.map(({ session }) => session))];
        const chats = await nameSessions(store.main, await findListedSessions(store.main, sessions));
        const words = wordsFor(findLanguage(context, parts.language()));
        const show = (grant: Grant): GrantView => ({
          id: grant.id,
          code: grant.code,
          session: grant.session,
          platform: grant.session.split(":")[0] ?? "",
          chat: chats.get(grant.session) ?? makeVisible(grant.session),
          person: showName(grant.personName),
          tool: makeVisible(grant.tool),
          covers: makeVisible(describePattern(grant, words).trim()),
          until: grant.expiresAt,
          isForTask: grant.turn !== null,
          uses: grant.uses,
        });
        const view: GrantsView = { now, items: grants.map(show) };
        return context.json(view);
      },
    },
    {
      method: "DELETE",
      path: "/grants/:id",
      role: "owner",
      async answer(context, login) {
        const now = clock.now();
        const grant = (await list(now)).find(({ id }) => id === context.req.param("id"));
        const revoked =
          grant !== undefined &&
          (await store.main.transaction().execute((tx) => revokeGrant(tx, grant, consoleOwner, now, login.id)));
        return revoked ? context.body(null, 204) : refuse(context, 404, "There is no such grant any more.");
      },
    },
  ];
}
