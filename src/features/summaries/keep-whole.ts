import type { Clock } from "../../core/clock.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";
import { type FindRole, resolveCurrentRole } from "../../kernel/gate/resolve-current-role.ts";
import type { Person } from "../../kernel/gate/types.ts";
import type { KeepResult } from "../../kernel/tools/keep-result.ts";
import type { Store } from "../../store/open-store.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import { findTurn } from "../../store/queries/turns.ts";
import type { KeepWhole } from "./summariser.ts";

/** Keeps a long result in the workspace, in the share of the person whose message began the turn. */
export function createKeepWhole(parts: {
  readonly store: Pick<Store, "main">;
  readonly findRole: FindRole;
  readonly keepResult: KeepResult;
  readonly clock: Clock;
}): KeepWhole {
  const { findRole, keepResult, store, clock } = parts;
  return async ({ session, taint, text, turn }, call) => {
    const [row, began] = await Promise.all([findSession(store.main, session), findTurn(store.main, turn)]);
    const chatKind = row?.chat_kind === "private" ? "private" : "group";
    const person = began ? (JSON.parse(began.input) as TurnInput).person : nameOfChat(row);
    const asNow = await resolveCurrentRole(findRole, person, session);
    const place = { session, person: asNow, chatKind, taint, now: clock.now() } as const;
    const kept = await keepResult(place, `${turn}-${call}-said.txt`, text);
    if (kept.ok) return { path: kept.path };
    return kept.refused ? { refused: kept.error } : undefined;
  };
}

/**
 * Replaces the author of a deleted turn: in a private chat the person of the chat, in a group a guest, who may do the
 * least.
 */
function nameOfChat(row: SessionRow | undefined): Person {
  const isPrivate = row?.chat_kind === "private";
  return { id: `${row?.platform ?? ""}:${row?.chat ?? ""}`, name: "", role: isPrivate ? "member" : "guest" };
}
