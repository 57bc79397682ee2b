import type { Configuration } from "../config.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { listIdleKeys, listKeysLeftOffline } from "../models/choose-models.ts";
import type { FailureKind } from "../models/classify-failure.ts";
import { keyVariables } from "../models/model-providers.ts";
import { formatModelReference, type ModelReference } from "../models/model-reference.ts";
import { pickModels } from "../models/pick-models.ts";
import { tryModel } from "../models/try-model.ts";
import type { ModelStatus } from "../models/types.ts";
import type { Finding } from "../kernel/feature/finding.ts";

type ModelSettings = Configuration["models"];

interface Verdict {
  readonly state: "works" | "fails" | "unproven";
  readonly detail: string;
}

const check = "model";
/** For each model; all are asked at once. */
const maxMs = 20_000;

/** Asks all models one word at the same time; with `asks` false, none. */
export async function checkModels(settings: ModelSettings, asks: boolean): Promise<Finding[]> {
  const models = await pickModels(settings);
  if (models.every(({ provider }) => provider === "offline")) return [offlineFinding(settings), ...checkKeys(settings)];
  const verdicts = models.map((model) => judge(model, settings, asks));
  const tiers = checkTiers(settings, models, asks);
  return [...toFindings(await Promise.all(verdicts)), ...(await tiers), ...checkKeys(settings)];
}

/** The same of the models of a Kurisu that runs: she knows what they said. Only one that she has not asked yet is asked. */
export async function checkRunningModels(
  told: readonly ModelStatus[],
  settings: ModelSettings,
  asks: boolean,
): Promise<Finding[]> {
  if (told.every(({ model }) => model === "offline")) return [offlineFinding(settings), ...checkKeys(settings)];
  const isUnproven = told.some(({ state }) => state === "unproven");
  // This process may have been given other variables than she was.
  const known = asks && isUnproven ? await pickModels(settings).catch(() => []) : [];
  const verdicts = told.map(async ({ detail, model: name, state }): Promise<Verdict> => {
    if (state === "ready") return { state: "works", detail: `${name} ${detail} (running)` };
    if (state === "failing") return { state: "fails", detail: `${name}: ${detail} (running)` };
    const own = known.find((model) => formatModelReference(model) === name);
    return own ? judge(own, settings, asks) : { state: "unproven", detail: `${name}: not asked yet (running)` };
  });
  return [...toFindings(await Promise.all(verdicts)), ...checkKeys(settings)];
}

/** A model that fails behind one that works is needed only when that one fails, too. */
function toFindings(verdicts: readonly Verdict[]): Finding[] {
  return verdicts.map(({ detail, state }, place): Finding => {
    if (state === "works") return { check, state: "ok", detail };
    const isCovered = verdicts.slice(0, place).some((before) => before.state === "works");
    return { check, state: state === "fails" && !isCovered ? "broken" : "warning", detail };
  });
}

/** Checks the models that models.yaml names for sub-agents; the models that answer people are the fallback of each. */
async function checkTiers(
  settings: ModelSettings,
  others: readonly ModelReference[],
  asks: boolean,
): Promise<readonly Finding[]> {
  const seen = new Set(others.map(formatModelReference));
  const findings = Object.entries(settings.tiers).map(async ([tier, model]): Promise<Finding[]> => {
    const name = formatModelReference(model);
    if (model.provider === "offline" || seen.has(name)) return [];
    seen.add(name);
    const { detail, state } = await judge(model, settings, asks);
    return [{ check, state: state === "works" ? "ok" : "warning", detail: `${detail} (models.${tier})` }];
  });
  return (await Promise.all(findings)).flat();
}

async function judge(model: ModelReference, { credentials }: ModelSettings, asks: boolean): Promise<Verdict> {
  const name = formatModelReference(model);
  if (model.provider === "offline") return { state: "works", detail: "offline (rule-driven, built in)" };
  if (!asks) return { state: "unproven", detail: `${name}: not asked (--no-ask)` };
  const tried = await tryModel({ model, credentials, maxMs });
  if (tried.kind === "answered")
    return { state: "works", detail: `${name} answered in ${(tried.milliseconds / 1000).toFixed(1)} s` };
  return { state: "fails", detail: `${name}: ${tried.detail}${describeRemedy(tried.failure)}` };
}

/** Remedies for failures whose detail names none. */
function describeRemedy(failure: FailureKind): string {
  if (failure === "busy" || failure === "server" || failure === "slow")
    return "; try again later, or name another model behind it in KURISU_MODEL";
  return failure === "refused" || failure === "long" ? ": docs/models.md" : "";
}

function offlineFinding(settings: ModelSettings): Finding {
  const unused = listKeysLeftOffline(settings);
  if (unused.length > 0) {
    const keys = unused.join(" and ");
    const reason = `KURISU_MODEL=offline keeps ${keys} unused. Remove KURISU_MODEL, or name a model in it`;
    return { check, state: "warning", detail: `offline (rule-driven). ${reason}` };
  }
  const detail = `offline (rule-driven). Run ${kurisuCommand} setup, or set ${keyVariables.join(" or ")}, or start Ollama`;
  return { check, state: "warning", detail };
}

/** A key that chooses no model looks as if it were in use. */
function checkKeys(settings: ModelSettings): Finding[] {
  return listIdleKeys(settings).map(({ variable, form }) => {
    return { check, state: "warning", detail: `${variable} is set, but names no model: KURISU_MODEL=${form}` };
  });
}
