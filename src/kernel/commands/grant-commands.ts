import type { Clock } from "../../core/clock.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { listLiveGrants } from "../../store/queries/grants.ts";
import { findPersonZone } from "../../store/queries/person-settings.ts";
import type { Store } from "../../store/open-store.ts";
import { revokeGrant } from "../gate/make-grants.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { describeGrants } from "../questions/describe-grants.ts";
import { tellAs } from "../outbox/tell-as.ts";

/**
 * `/grants`, `/grants 取消 G2` and `/revoke G2`. Every member of a chat sees its grants; owners can revoke any of them.
 */
export interface GrantCommands {
  grants(call: CommandCall): Promise<CommandAnswer>;
  revoke(call: CommandCall): Promise<CommandAnswer>;
  /** The number of active grants in a session. */
  count(session: string): Promise<number>;
}

const revoking = /^(?:取消|收回|撤销|撤銷|revoke|cancel|キャンセル|取り消し)\s*(.*)$/iu;

export function createGrantCommands(parts: {
  readonly store: Store;
  readonly policy: () => string;
  readonly zone: () => string;
  readonly clock: Clock;
}): GrantCommands {
  const { store, clock } = parts;
  const list = (session: string) => listLiveGrants(store.main, { session, policy: parts.policy(), now: clock.now() });

  async function revoke({ language, session, person, words, rest }: CommandCall): Promise<CommandAnswer> {
    const { approval } = words;
    const code = rest.normalize("NFKC").trim().toUpperCase();
    const grant = (await list(session)).find((one) => one.code === code);
    if (!grant) return { text: approval.grantUnknown(makeVisible(code.slice(0, 16))) };
    const mayRevoke = person.role === "owner" || person.id === grant.person || person.id === grant.givenBy;
    if (!mayRevoke) return tellAs("denied", language, approval.grantNotYours);
    const revoked = await store.main.transaction().execute((tx) => revokeGrant(tx, grant, person.id, clock.now()));
    return { text: revoked ? approval.grantRevoked(grant.code) : approval.grantUnknown(grant.code) };
  }

  return {
    revoke,
    async grants(call) {
      const [, code] = revoking.exec(call.rest.trim()) ?? [];
      if (code !== undefined) return revoke({ ...call, rest: code });
      const zone = (await findPersonZone(store.main, call.person.id)) ?? parts.zone();
      return { text: describeGrants(await list(call.session), call.words, zone) };
    },
    count: async (session) => (await list(session)).length,
  };
}
