import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { Logger } from "pino";
import { createBudget, type Budget, type BudgetState } from "../models/budget.ts";
import type { LimitState } from "../models/list-limits.ts";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { Meter } from "../core/meter.ts";
import { createModels, type ToolsRefused } from "../models/create-models.ts";
import { formatModelReference, type ModelReference } from "../models/model-reference.ts";
import { createModelTiers } from "../models/model-tiers.ts";
import { offlinePhrasesSchema } from "../models/offline/phrases.ts";
import { pickModels } from "../models/pick-models.ts";
import { scrubRequests } from "../models/scrub-requests.ts";
import type { Models } from "../models/types.ts";
import type { Store } from "../store/open-store.ts";

/** The models that answer people, from the configuration or supplied by the caller. */
export interface GivenModels {
  readonly main: Models;
  /** The models used near the daily limits. */
  readonly small: Models;
}

export interface AssembledModels {
  readonly budget: Budget;
  /** The models that answer people, with their state. */
  readonly models: Models;
  /** The same, within the budget. */
  readonly guarded: Models;
  /** The models that a chat may choose: the configured ones as `provider:name`, the default first. */
  readonly listChoices: () => readonly string[];
  /** The models that answer people, the chosen one first; a choice that is no longer configured is ignored. */
  readonly chooseModels: (chosen: string | undefined) => Models;
  /** The models of a sub-agent by tier or model name, within the budget. */
  readonly findModels: (name: string) => Models;
  /** Whether another model takes over near the daily limits. */
  readonly hasCheaper: () => boolean;
}

/** The models chosen at startup, with the current limits, inputs and tiers. */
export async function assembleModels(
  configuration: () => Configuration,
  parts: {
    readonly store: Pick<Store, "usage">;
    readonly personas: Pick<ChosenPersonas, "of">;
    readonly scrub: (text: string) => string;
    readonly onWarning: (state: BudgetState, limit: LimitState, hasCheaper: boolean) => Promise<void>;
    readonly onToolsRefused: (refused: ToolsRefused) => void;
    readonly meter: Meter;
    readonly clock: Clock;
    readonly log: Logger;
    /** Replaces the configured models. */
    readonly given?: GivenModels | undefined;
  },
): Promise<AssembledModels> {
  const { store, scrub, onWarning, clock, log } = parts;
  const settings = () => configuration().models;
  const budget = createBudget({
    usage: store.usage,
    options: () => settings().budget,
    zone: () => configuration().zone,
    onWarning: (state, limit) => onWarning(state, limit, hasCheaper()),
    clock,
    log,
  });
  const { main, small, find, choices } = parts.given ? findGiven(parts.given) : await createConfigured();
  const guard = (asked: Models) => budget.guard(asked, small);
  const guarded = guard(main);
  return {
    budget,
    models: main,
    guarded,
    findModels: (name) => guard(find(name)),
    listChoices: choices,
    hasCheaper,
    chooseModels: (chosen) => (chosen !== undefined && choices().includes(chosen) ? guard(find(chosen)) : guarded),
  };

  function hasCheaper(): boolean {
    // A tier that is not set falls back to the model that answers people.
    return small() !== main;
  }

  async function createConfigured() {
    const { credentials } = settings();
    const offline = (session: string) => offlinePhrasesSchema.parse(parts.personas.of(session).offline);
    const create = (models: readonly ModelReference[]) =>
      scrubRequests(
        createModels({
          models,
          credentials,
          inputs: () => settings().inputs,
          limits: () => settings().limits,
          clock,
          log,
          offline,
          spend: budget.spend,
          onAsked: parts.meter,
          onToolsRefused: parts.onToolsRefused,
        }),
        scrub,
      );
    const fallback = await pickModels(settings());
    const models = create(fallback);
    const findTier = createModelTiers({ tiers: () => settings().tiers, main: models, fallback, create });
    const choices = () => [...new Set([...fallback, ...Object.values(settings().tiers)].map(formatModelReference))];
    return { main: models, small: () => findTier("small"), find: findTier, choices };
  }
}

function findGiven({ main, small }: GivenModels) {
  const names = (models: Models) => models.status().map(({ model }) => model);
  const find = (name: string) => (names(small).includes(name) ? small : main);
  return { main, small: () => small, find, choices: () => [...names(main), ...names(small)] };
}
