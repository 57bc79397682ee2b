import { countOf } from "../core/words/count-of.ts";
import { existsSync } from "node:fs";
import type { Configuration } from "../config.ts";
import { describeError } from "../core/errors.ts";
import { describeMissingAnchors, readBothAnchorFiles } from "../store/audit-anchor.ts";
import { tables } from "../assembly/features.ts";
import { openStore, type Store } from "../store/open-store.ts";
import { findPause } from "../store/queries/pause.ts";
import { listUsage, sumUsage } from "../store/queries/usage.ts";
import { verifyAudit } from "../store/verify-audit.ts";
import type { Finding } from "../kernel/feature/finding.ts";

type Needed = Pick<Configuration, "home" | "store" | "audit" | "zone" | "models">;

/** Checks the kill switch, the use of the models today and the integrity of the audit. */
export async function checkOversight(configuration: Needed): Promise<Finding[]> {
  const { home, store: place } = configuration;
  if (place.url === undefined && !existsSync(`${home}/kurisu.db`)) return [];
  try {
    const store = await openStore({ home, ...place }, tables);
    try {
      return [
        ...(await checkPause(store)),
        await checkUsage(store, configuration),
        await checkAudit(store, configuration),
      ];
    } finally {
      await store.close();
    }
  } catch (error) {
    return [{ check: "audit", state: "broken", detail: describeError(error) }];
  }
}

async function checkPause({ main }: Store): Promise<Finding[]> {
  const pause = await findPause(main);
  if (!pause) return [];
  const since = new Date(pause.since).toISOString();
  const detail = `everything is paused since ${since} by ${pause.person}; an owner's /resume goes on`;
  return [{ check: "kill switch", state: "warning", detail }];
}

async function checkUsage({ main }: Store, { models: { budget }, zone }: Needed): Promise<Finding> {
  const rows = await listUsage(main, new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format());
  const { calls, cost, estimated, input, output } = sumUsage(rows);
  const guessed = estimated === 0 ? "" : `, ${estimated} of them estimated`;
  const paid = budget.cost === undefined ? "" : `, cost ${(cost / 1_000_000).toFixed(4)} of ${budget.cost}`;
  const detail = `today ${input} tokens in and ${output} out, ${calls} requests${guessed}${paid}`;
  const free = [...new Set(rows.map(({ model }) => model))].filter((model) => budget.prices[model] === undefined);
  if (budget.cost === undefined || free.length === 0) return { check: "usage", state: "ok", detail };
  const remedy = `budget.prices of models.yaml names no price for ${free.join(", ")}, so they count as free`;
  return { check: "usage", state: "warning", detail: `${detail}; ${remedy}` };
}

async function checkAudit(store: Store, { home, audit }: Needed): Promise<Finding> {
  const { anchors, missing } = readBothAnchorFiles(home, audit.anchor);
  const verdict = await verifyAudit(store, anchors);
  if (verdict.kind === "intact" && missing !== undefined)
    return { check: "audit", state: "broken", detail: describeMissingAnchors(missing) };
  if (verdict.kind === "intact")
    return { check: "audit", state: "ok", detail: `${countOf(verdict.rows, "row")}, the chain is intact` };
  return { check: "audit", state: "broken", detail: `${verdict.damage}: ${verdict.detail}` };
}
