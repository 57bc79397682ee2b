import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Clock } from "../../core/clock.ts";
import { toInstant } from "../../core/schedule/zoned-time.ts";
import type { BudgetOptions } from "../../models/budget-options.ts";
import { pageAudit, type LinkedAuditRow } from "../../store/queries/audit.ts";
import { findNames } from "../../store/queries/people.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import { sumUsageBy, sumUsageByTool, usageKeys, type UsageKey } from "../../store/queries/usage.ts";
import type { Store } from "../../store/open-store.ts";
import type { AuditVerdict } from "../../store/verify-audit.ts";
import { refuse, type Route } from "../door/guard.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";
import type { AuditCheckView, AuditRowView, AuditView, UsageView } from "../views/system-views.ts";
import { readRowNumber } from "./read-row-number.ts";

export interface UsageAndAuditParts {
  readonly store: Pick<Store, "main">;
  readonly budget: () => BudgetOptions;
  readonly zone: () => string;
  /** Checks the whole chain against the anchors of this machine. */
  readonly verifyAudit: () => Promise<{ readonly verdict: AuditVerdict; readonly anchors: number }>;
  readonly clock: Clock;
}

const rowsAtOnce = 50;
const maxRows = 200;
const maxDetail = 2_000;
const million = 1_000_000;
const dayFormat = /^\d{4}-\d{2}-\d{2}$/;

/** The usage of models and what it cost, and the audit with the check of its chain. */
export function listUsageAndAuditRoutes(parts: UsageAndAuditParts): readonly Route[] {
  const { store } = parts;
  let checking: ReturnType<UsageAndAuditParts["verifyAudit"]> | undefined;
  return [
    {
      method: "GET",
      path: "/usage",
      role: "owner",
      async answer(context) {
        const { from = "", to = "", by: wanted = "day" } = context.req.query();
        const by = wanted === "tool" ? wanted : usageKeys.find((key) => key === wanted);
        if (by === undefined || !isDay(from) || !isDay(to))
          return refuse(
            context,
            400,
            "from and to are days like 2026-11-29, by is day, model, person, session or tool.",
          );
        const zone = parts.zone();
        const rows =
          by === "tool"
            ? await sumUsageByTool(store.main, {
                from: beginOfDay(from, zone),
                to: beginOfDay(nextDay(to), zone),
                limit: maxRows,
              })
            : await sumUsageBy(store.main, by, { from, to, limit: maxRows });
        const names = await nameKeys(
          store,
          by,
          rows.map(({ key }) => key),
        );
        const view: UsageView = {
          from,
          to,
          by,
          hasPrice: Object.keys(parts.budget().prices).length > 0 || rows.some(({ cost }) => cost > 0),
          rows: rows.map(({ cost, key, ...sums }) => ({
            ...sums,
            key,
            name: names.get(key) ?? toLine(key, maxName),
            spent: cost / million,
          })),
        };
        return context.json(view);
      },
    },
    {
      method: "GET",
      path: "/audit",
      role: "owner",
      async answer(context) {
        const { about, actor, cursor } = context.req.query();
        const before = readRowNumber(cursor);
        if (before === "invalid") return refuse(context, 400, "The cursor is not one of ours.");
        const found = await pageAudit(store.main, { about, actor, before, limit: rowsAtOnce + 1 });
        const shown = found.slice(0, rowsAtOnce);
        const last = shown.at(-1);
        const view: AuditView = {
          items: shown.map(describeRow),
          ...(found.length > rowsAtOnce && last && { next: String(last.seq) }),
        };
        return context.json(view);
      },
    },
    {
      method: "POST",
      path: "/audit/verify",
      role: "owner",
      async answer(context) {
        // Two pages that ask at once get the answer of one check.
        checking ??= parts.verifyAudit().finally(() => (checking = undefined));
        const { anchors, verdict } = await checking;
        const view: AuditCheckView =
          verdict.kind === "intact"
            ? { kind: "intact", rows: verdict.rows, erased: verdict.erased, anchors }
            : {
                kind: "broken",
                damage: verdict.damage,
                ...(verdict.seq !== undefined && { seq: verdict.seq }),
                sound: verdict.sound,
                detail: makeVisible(verdict.detail),
              };
        return context.json(view);
      },
    },
  ];
}

const isDay = (text: string): boolean => dayFormat.test(text) && !Number.isNaN(Date.parse(text));
const nextDay = (day: string): string => new Date(Date.parse(day) + 24 * 3_600_000).toISOString().slice(0, 10);

/** The first instant of a day like 2026-11-29 in that zone. */
function beginOfDay(name: string, zone: string): number {
  const [year = 0, month = 1, day = 1] = name.split("-").map(Number);
  return toInstant({ year, month, day, hour: 0, minute: 0, second: 0 }, zone);
}

async function nameKeys(
  store: Pick<Store, "main">,
  by: UsageKey | "tool",
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (by === "session") return nameSessions(store.main, await findListedSessions(store.main, keys));
  if (by !== "person") return new Map();
  const names = await findNames(store.main, keys);
  return new Map([...names].map(([id, name]) => [id, toLine(name, maxName)]));
}

function describeRow({ action, actor, at, call, detail, hash, seq, session, turn }: LinkedAuditRow): AuditRowView {
  return {
    seq,
    at,
    actor: makeVisible(actor),
    action,
    ...(session !== null && { session: makeVisible(session) }),
    ...(turn !== null && { turn }),
    ...(call !== null && { call }),
    detail: toLine(detail, maxDetail),
    ...(hash !== null && { link: hash.slice(0, 12) }),
  };
}
