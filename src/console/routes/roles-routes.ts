import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { SystemActions } from "../../kernel/commands/system-actions.ts";
import type { StrangerRequests } from "../../kernel/people/stranger-requests.ts";
import { findNames } from "../../store/queries/people.ts";
import type { Store } from "../../store/open-store.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import type { PeopleView, RoleAnswerView } from "../views/people-views.ts";
import { describePeople, type PeoplePorts } from "./describe-people.ts";
import { showStrangers } from "./show-strangers.ts";

export interface RolesParts {
  readonly store: Pick<Store, "main">;
  readonly people: PeoplePorts;
  readonly system: Pick<SystemActions, "changeRole">;
  readonly strangers: readonly Pick<StrangerRequests, "list">[];
  readonly clock: Clock;
}

const roleRequest = z.strictObject({ role: z.enum(["trusted", "member", "none"]) });

const refusals = {
  owner: [403, "An owner is named on the machine (KURISU_OWNERS), or by the code of its start screen; not from here."],
  "not-trusted": [400, "This person is not trusted."],
  "by-configuration": [409, "The configuration gives this role: config/system/channels.yaml."],
} as const;

/** The people with their roles, and the owner's changes of them. */
export function listRolesRoutes(parts: RolesParts): readonly Route[] {
  const { people, store } = parts;
  return [
    {
      method: "GET",
      path: "/system/people",
      role: "owner",
      async answer(context) {
        const now = parts.clock.now();
        const [described, waiting] = await Promise.all([describePeople(store, people), showStrangers(parts, now)]);
        const view: PeopleView = { now, ...waiting, ...described, canUnlink: people.unlinkAccount !== undefined };
        return context.json(view);
      },
    },
    {
      method: "POST",
      path: "/people/:id/role",
      role: "owner",
      async answer(context, login) {
        const given = roleRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "role is trusted, member or none.");
        const id = context.req.param("id") ?? "";
        const { people: known } = await describePeople(store, people);
        if (!known.some(({ accounts }) => accounts.some((account) => account.id === id)))
          return refuse(context, 404, "Nobody with this id has a role.");
        const name = (await findNames(store.main, [id])).get(id) ?? id;
        const change = await parts.system.changeRole({ id, name }, given.data.role, login.id);
        if (change.kind !== "changed") {
          const [status, message] = refusals[change.kind];
          return refuse(context, status, message);
        }
        const view: RoleAnswerView = { role: change.role };
        return context.json(view);
      },
    },
    {
      method: "DELETE",
      path: "/links/:id",
      role: "owner",
      async answer(context, login) {
        const unlinked = (await people.unlinkAccount?.(context.req.param("id") ?? "", login.id)) ?? false;
        return unlinked ? context.body(null, 204) : refuse(context, 404, "This account is linked with no other.");
      },
    },
  ];
}
