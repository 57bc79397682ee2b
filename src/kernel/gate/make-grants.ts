import type { Kysely } from "kysely";
import { toCanonicalJson } from "../../core/canonical-json.ts";
import { createId } from "../../core/ids.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import {
  closeGrant,
  findRootTurn,
  insertGrant,
  listSpentGrants,
  nextGrantCode,
  type Grant,
} from "../../store/queries/grants.ts";
import type { Question } from "../../store/queries/questions.ts";
import { lockSession } from "../../store/queries/sessions.ts";
import type { Database } from "../../store/schema/database.ts";
import type { DecisionFault } from "./types.ts";

/** Duration of a grant: milliseconds, or until the requesting turn and its sub-agents end. */
export type GrantRequest = { readonly kind: "time"; readonly ms: number } | { readonly kind: "task" };

const minMs = 60_000;
/** Also limits grants for a task. */
const maxGrantMs = 24 * 3_600_000;

/** Whether this question can include a grant: each of its calls must have shown its scope. */
export function canGrant(question: Question): boolean {
  return question.terms === null && question.calls.every(({ scope }) => scope !== null);
}

export function findGrantFault(question: Question, wish: GrantRequest): DecisionFault | undefined {
  if (!canGrant(question)) return { kind: "no-grant" };
  const inRange = wish.kind === "task" || (wish.ms >= minMs && wish.ms <= maxGrantMs);
  return inRange ? undefined : { kind: "grant-time" };
}

/** Creates one grant for each pattern of the question, in the caller's transaction. */
export async function makeGrants(
  db: Kysely<Database>,
  {
    question,
    wish,
    by,
    now,
  }: {
    readonly question: Question;
    readonly wish: GrantRequest;
    readonly by: { readonly id: string };
    readonly now: number;
  },
): Promise<readonly Grant[]> {
  // Serialises concurrent grants of a session, so that no code is issued twice.
  await lockSession(db, question.session);
  const alike = new Map(question.calls.map((call) => [`${call.tool} ${toCanonicalJson(call.scope)}`, call]));
  const turn = wish.kind === "task" ? await findRootTurn(db, question.turn) : null;
  const made: Grant[] = [];
  for (const { tool, scope } of alike.values()) {
    if (!scope) continue;
    const grant: Grant = {
      id: createId("g", now),
      code: await nextGrantCode(db, question.session),
      session: question.session,
      person: question.asker,
      personName: question.askerName,
      tool,
      pattern: scope,
      policy: question.policy,
      question: question.id,
      givenBy: by.id,
      turn,
      expiresAt: now + (wish.kind === "time" ? wish.ms : maxGrantMs),
      uses: 0,
      createdAt: now,
    };
    await insertGrant(db, grant);
    await auditGrant(db, grant, "grant.made", by.id, now);
    made.push(grant);
  }
  return made;
}

/** Returns false when it had ended already. */
export async function revokeGrant(
  db: Kysely<Database>,
  grant: Grant,
  by: string,
  now: number,
  login?: string,
): Promise<boolean> {
  if (!(await closeGrant(db, grant.id, "revoked", now))) return false;
  await auditGrant(db, grant, "grant.revoked", by, now, login === undefined ? {} : { login });
  return true;
}

/** Records expired grants. They stop applying when they expire, recorded or not. */
export async function expireGrants(db: Kysely<Database>, policy: string, now: number): Promise<void> {
  for (const grant of await listSpentGrants(db, { now, policy })) {
    await db.transaction().execute(async (tx) => {
      if (await closeGrant(tx, grant.id, "expired", now)) await auditGrant(tx, grant, "grant.expired", "gateway", now);
    });
  }
}

/** Writes one audit row for each event of a grant. */
export async function auditGrant(
  db: Kysely<Database>,
  grant: Grant,
  action: "grant.made" | "grant.used" | "grant.revoked" | "grant.expired",
  actor: string,
  now: number,
  /** `login` = of the console. */
  use: { readonly turn?: string; readonly call?: string; readonly hash?: string; readonly login?: string } = {},
): Promise<void> {
  const { hash, login, ...place } = use;
  await appendAudit(db, {
    actor,
    action,
    session: grant.session,
    ...place,
    detail: {
      grant: grant.id,
      code: grant.code,
      person: grant.person,
      tool: grant.tool,
      pattern: { ...grant.pattern },
      question: grant.question,
      until: grant.expiresAt,
      ...(grant.turn !== null && { task: grant.turn }),
      ...(hash !== undefined && { hash }),
      ...(login !== undefined && { login }),
    },
    now,
  });
}
