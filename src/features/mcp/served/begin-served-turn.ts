import type { TurnInput } from "../../../kernel/agent/types.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Language, Taint } from "../../../core/conversation.ts";
import type { Store } from "../../../store/open-store.ts";
import { servedPlatform } from "../../../core/served-platform.ts";
import { ensureSession } from "../../../store/queries/sessions.ts";
import { insertTurn, type TurnLease } from "../../../store/queries/turns.ts";
import type { Person } from "../../../kernel/gate/types.ts";
import type { ServedCall } from "./types.ts";

/**
 * Other agents are one admitted person, never an owner: rights beyond reading are granted by the operator in
 * tools.yaml.
 */
export const servedPerson: Person = { id: `${servedPlatform}:local`, name: "MCP client", role: "member" };

/** The reading of a client is not known here. */
export const servedTaint: Taint = "user";

const account = "local";

/** The id of the session whose workspace the calls act on. */
export function toServedSession(name: string): string {
  return `${servedPlatform}:${account}:${name}`;
}

/** Writes the turn of one call, running and held. */
export async function beginServedTurn(given: {
  readonly store: Store;
  readonly clock: Clock;
  readonly language: Language;
  readonly zone: string;
  readonly turn: string;
  readonly call: ServedCall;
  readonly policy: string;
}): Promise<{ readonly lease: TurnLease; readonly input: TurnInput }> {
  const { call, clock, language, policy, store, turn, zone } = given;
  const session = toServedSession(call.session);
  const now = clock.now();
  const input: TurnInput = {
    turn,
    session,
    chatKind: "private",
    person: servedPerson,
    language,
    zone,
    taint: servedTaint,
    text: "",
    position: 0,
    startPosition: 0,
    policy,
  };
  return store.main.transaction().execute(async (tx) => {
    const chatKind = "private";
    await ensureSession(tx, {
      id: session,
      platform: servedPlatform,
      account,
      chat: call.session,
      thread: null,
      chatKind,
      language,
      now,
    });
    const lease = await insertTurn(tx, {
      id: turn,
      session,
      // No message began it.
      inbox: turn,
      input: JSON.stringify(input),
      policy,
      owner: account,
      // It lives and ends with this process.
      now,
    });
    return { lease, input };
  });
}
