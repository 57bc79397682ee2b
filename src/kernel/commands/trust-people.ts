import { makeVisible } from "../../core/persona/show-payload.ts";
import { findPeople, type KnownPerson } from "../../store/queries/people.ts";
import type { Store } from "../../store/open-store.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import type { ChangeRole } from "../people/change-role.ts";
import { toPersonId } from "../../channels/session-id.ts";

/**
 * `/trust` and `/untrust`, for owners. People are identified by their id; a name counts only if exactly one admitted
 * person has it, and the answer shows the id.
 */
export function createTrustPeople(parts: { readonly store: Pick<Store, "main">; readonly changeRole: ChangeRole }) {
  const { store } = parts;

  async function findTarget(platform: string, text: string): Promise<readonly KnownPerson[]> {
    const named = await findPeople(store.main, platform, text);
    const byId = named.filter(({ id }) => id === text || id === toPersonId(platform, text));
    if (byId.length > 0) return byId;
    if (named.length > 0) return named;
    // A person admitted by the configuration has no row yet.
    const whole = text.startsWith(`${platform}:`) && /^\w+:[\w-]{1,64}$/.test(text);
    if (!whole && !/^\d{3,20}$/.test(text)) return [];
    const id = whole ? text : toPersonId(platform, text);
    return [{ id, name: id, role: "guest" }];
  }

  async function answer(call: CommandCall, to: "trusted" | "member"): Promise<CommandAnswer> {
    const { message, person, rest, session, words } = call;
    const { platform } = message.address;
    if (rest === "") return { text: words.trust.usage };
    const [target, ...others] = await findTarget(platform, rest);
    if (!target) return { text: words.trust.unknown(makeVisible(rest.slice(0, 64))) };
    if (others.length > 0) return { text: words.trust.several([target, ...others].map(({ id }) => id)) };
    const { id, name } = target;
    const shown = makeVisible(name);
    const change = await parts.changeRole(target, to, { actor: person.id, session });
    switch (change.kind) {
      case "owner":
        return { text: words.trust.isOwner(shown) };
      case "not-trusted":
        return { text: words.trust.notTrusted(shown) };
      case "by-configuration":
        return { text: words.trust.byConfiguration(shown) };
      case "changed":
        if (to === "trusted") return { text: words.trust.given({ name: shown, id }) };
        return {
          text: change.role === "trusted" ? words.trust.byConfiguration(shown) : words.trust.taken({ name: shown, id }),
        };
    }
  }

  return {
    trust: (call: CommandCall) => answer(call, "trusted"),
    untrust: (call: CommandCall) => answer(call, "member"),
  };
}
