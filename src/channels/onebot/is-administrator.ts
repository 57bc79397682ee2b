import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { ChatAddress } from "../types.ts";
import { createShortMemory } from "../short-memory.ts";
import type { Accounts } from "./account.ts";
import { readChat } from "./chat.ts";
import { readPositiveId, toWireId } from "./wire-id.ts";

const member = z.object({ user_id: z.unknown(), role: z.string() });

/** Whether a user runs a group. A missing answer, or one about another user, counts as no. */
export function createIsAdministrator(parts: { readonly accounts: Accounts; readonly clock: Clock }) {
  const remember = createShortMemory(parts.clock);
  return ({ account, chat }: ChatAddress, user: string): Promise<boolean> => {
    const { id, kind } = readChat(chat);
    if (kind === "private") return Promise.resolve(false);
    return remember(`${account} ${id} ${user}`, async () => {
      const params = { group_id: toWireId(id), user_id: toWireId(user), no_cache: true };
      const answer = await parts.accounts.find(account)?.link?.call("get_group_member_info", params, 10_000);
      if (answer?.kind !== "ok") return undefined;
      const found = member.safeParse(answer.data).data;
      return found !== undefined && readPositiveId(found.user_id) === user && isAdministratorRole(found.role);
    });
  };
}

export function isAdministratorRole(role: unknown): boolean {
  return role === "owner" || role === "admin";
}
