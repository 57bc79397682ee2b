import type { Logger } from "pino";
import { createBudget, type Budget, type BudgetState } from "./models/budget.ts";
import type { Configuration } from "./config.ts";
import { systemClock } from "./core/clock.ts";
import { createModels } from "./models/create-models.ts";
import type { ModelReference } from "./models/model-reference.ts";
import { createModelTiers } from "./models/model-tiers.ts";
import { offlinePhrasesSchema } from "./models/offline/phrases.ts";
import { pickModels } from "./models/pick-models.ts";
import { scrubRequests } from "./models/scrub-requests.ts";
import type { Models } from "./models/types.ts";
import type { Store } from "./store/open-store.ts";
import { addUsage, sumDay } from "./store/queries/usage.ts";

/** The models as they were at the start; the limits of the budget as they are at the moment. */
export async function assembleModels(
  configuration: () => Configuration,
  parts: {
    readonly store: Pick<Store, "main">;
    readonly scrub: (text: string) => string;
    readonly onWarning: (state: BudgetState) => Promise<void>;
    readonly log: Logger;
  },
): Promise<{
  readonly budget: Budget;
  /** What answers people, with its state. */
  readonly models: Models;
  /** The same within the limits of the budget. */
  readonly guarded: Models;
  /** Those of a sub-agent by a tier or a model's name, within the limits. */
  readonly findModels: (name: string) => Models;
}> {
  const { store, scrub, onWarning, log } = parts;
  const clock = systemClock;
  const { models: settings, zone } = configuration();
  const { credentials, limits, tiers } = settings;
  const offline = () => offlinePhrasesSchema.parse(configuration().persona.offline);
  const budget = createBudget({
    usage: {
      add: (row) => addUsage(store.main, row),
      sumDay: (day, person) => sumDay(store.main, day, person),
    },
    options: () => configuration().models.budget,
    zone,
    onWarning,
    clock,
    log,
  });
  const create = (models: readonly ModelReference[]) =>
    scrubRequests(createModels({ models, credentials, limits, clock, log, offline, spend: budget.spend }), scrub);
  const fallback = await pickModels(settings);
  const models = create(fallback);
  const findTier = createModelTiers({ tiers, main: models, fallback, create });
  const guard = (asked: Models) => budget.guard(asked, () => findTier("small"));
  return { budget, models, guarded: guard(models), findModels: (name) => guard(findTier(name)) };
}
