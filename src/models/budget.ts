import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import { describeError } from "../core/errors.ts";
import type { ModelCall, PersonDay, UsageRow } from "../core/usage.ts";
import type { BudgetOptions } from "./budget-options.ts";
import { estimateRequest } from "./estimate-request.ts";
import { LimitReached } from "./limit-reached.ts";
import { findFullest, isReached, listLimits, shareOf, type LimitState } from "./list-limits.ts";
import { priceUsage } from "./price-usage.ts";
import { createReservations, listCounted, waitForOne, type Reservation } from "./reservations.ts";
import type { ModelRequest, Models, Payer, Spending } from "./types.ts";

/** How far the limits of a day are used up. */
export interface BudgetState extends PersonDay {
  readonly day: string;
  readonly zone: string;
  /** Every limit that is set and concerns this person and chat. */
  readonly states: readonly LimitState[];
  /** The fullest limit of all: 1 = reached. */
  readonly share: number;
  readonly limits: BudgetOptions;
}

/** The person with the limits: those of owners are their own. */
type About = Pick<Payer, "id"> & Partial<Pick<Payer, "owner" | "chat">>;

export interface Budget {
  /** Counts what a request to a model has used up. Never throws. */
  spend(spending: Spending): Promise<void>;
  look(about: About): Promise<BudgetState>;
  /** Limits of a person and of a chat that are close to their end; without a query where none is set. */
  listClose(about: About): Promise<Pick<BudgetState, "day" | "zone"> & { readonly close: readonly LimitState[] }>;
  /** The same models, asked only as far as the limits allow; close to them those of `cheaper`. */
  guard(models: Models, cheaper: () => Models): Models;
}

const million = 1_000_000;
/** Tokens assumed for an answer that has not come yet. */
const defaultAnswer = 1_000;

export function createBudget(parts: {
  /** Where it is counted. */
  readonly usage: {
    readonly add: (row: UsageRow, call?: ModelCall) => void;
    readonly sumDay: (day: string, person: string, chat: string) => Promise<PersonDay>;
  };
  readonly options: () => BudgetOptions;
  readonly zone: () => string;
  /**
   * A share of a limit of all, or a model's limit, is used up; called again at each request until the warning is
   * recorded.
   */
  readonly onWarning: (state: BudgetState, limit: LimitState) => Promise<void>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
}): Budget {
  const { clock, log } = parts;
  const reservations = createReservations();
  /** Today's notices. */
  const warned = { day: "", keys: new Set<string>() };

  let days = { zone: "", format: new Intl.DateTimeFormat("sv-SE") };
  const today = (): string => {
    const zone = parts.zone();
    // Making the format takes longer than all else here.
    if (days.zone !== zone) days = { zone, format: new Intl.DateTimeFormat("sv-SE", { timeZone: zone }) };
    return days.format.format(clock.now());
  };

  async function look({ id, owner = false, chat = "" }: About): Promise<BudgetState> {
    const day = today();
    const usage = await parts.usage.sumDay(day, id, chat);
    const limits = parts.options();
    const states = listLimits(limits, usage, owner);
    const fullest = findFullest(states, "all");
    return { ...usage, day, zone: parts.zone(), states, share: fullest ? shareOf(fullest) : 0, limits };
  }

  async function spend({ end, estimated, model, ms, payer, startedAt, usage }: Spending): Promise<void> {
    try {
      const { input, output, cachedInput: cached } = usage;
      const counted = { calls: 1, estimated: estimated ? 1 : 0, input, output, cached, cost: costOf(model, usage) };
      const row = { day: today(), person: payer.id, session: payer.chat ?? "", model, ...counted };
      const { turn } = payer;
      const { cost } = counted;
      const call = { model, startedAt, ms, input, output, cached, cost, isEstimated: estimated, end };
      parts.usage.add(row, turn && { ...call, turn: turn.id, round: turn.round });
      // The count of the one before died with its process: it is taken to have been as large as this one.
      if (payer.repeats) parts.usage.add({ ...row, estimated: 1 });
      await warn(payer);
    } catch (error) {
      // The answer is there and paid for; a turn that fails now would pay again.
      log.error({ model, person: payer.id, reason: describeError(error) }, "what a model used up was not counted");
    }
  }

  const costOf = (model: string, usage: Spending["usage"]): number => priceUsage(parts.options().prices, model, usage);

  /** Warns once a day: for each limit of all requests at its warning and at its end, for a model's limit at its end. */
  async function warn(payer: Payer): Promise<void> {
    const { cost, models, tokens, warnAt } = parts.options();
    if (cost === undefined && tokens.all === undefined && Object.keys(models).length === 0) return;
    if (warned.day !== today()) Object.assign(warned, { day: today(), keys: new Set() });
    const state = await look(payer);
    const ofModels = state.states.filter((limit) => limit.scope === "model" && isReached(limit));
    const fullest = findFullest(state.states, "all");
    for (const limit of [...ofModels, ...(fullest && shareOf(fullest) >= warnAt ? [fullest] : [])]) {
      const key = `${limit.scope} ${limit.model ?? ""} ${isReached(limit)}`;
      if (warned.keys.has(key)) continue;
      await parts.onWarning(state, limit);
      warned.keys.add(key);
    }
  }

  /** A place in the row of requests, with what this one will use up about. */
  function reserve({ messages, payer, tools }: ModelRequest, models: Models): Reservation {
    const [first] = models.status();
    const model = first?.model ?? "";
    const input = estimateRequest({ messages, tools });
    const cost = costOf(model, { input, output: defaultAnswer, cachedInput: 0 }) / million;
    return reservations.add({ payer, model, tokens: input + defaultAnswer, cost });
  }

  /** Throws where a limit stops the request; waits where one before it may take a limit over its end. */
  async function admit({ payer, signal }: ModelRequest, own: Reservation) {
    for (;;) {
      // Before the look: what ends in the meantime counts in both, which is then looked at once more.
      const before = reservations.listBefore(own);
      const { accounts, limits, share, states } = await look(payer);
      const goesOn = payer.owner && limits.whenSpent === "owner";
      const stops = (state: LimitState) => state.scope === "person" || (state.scope !== "model" && !goesOn);
      const reached = states.find((state) => stops(state) && isReached(state));
      if (reached) throw new LimitReached({ ...reached, zone: parts.zone() });
      const contested = states
        .filter((state) => (stops(state) || state.scope === "model") && !isReached(state))
        .map((state) => ({ state, counted: listCounted(state, { own, before, accounts }) }))
        .find(({ state, counted }) => {
          const reserved = counted.reduce((sum, one) => sum + one[state.unit], 0);
          return counted.length > 0 && isReached({ used: state.used + reserved, limit: state.limit });
        });
      if (!contested) {
        const spentModels = states.filter((state) => state.scope === "model" && isReached(state));
        return { goesOn, spentModels, chosen: share >= limits.cheaperAt ? ("cheaper" as const) : ("usual" as const) };
      }
      await waitForOne(contested.counted, signal);
    }
  }

  async function askWithinLimits(
    request: ModelRequest,
    onEvent: Parameters<Models["ask"]>[1],
    { usual, cheaper }: { readonly usual: Models; readonly cheaper: () => Models },
  ) {
    const own = reserve(request, usual);
    try {
      const { chosen, goesOn, spentModels } = await admit(request, own);
      const models = chosen === "usual" ? usual : cheaper();
      const without = new Set(spentModels.flatMap(({ model }) => model ?? []));
      const [spent] = spentModels;
      const isLeft = models.status().some(({ model }) => !without.has(model));
      if (!isLeft && spent && !goesOn) throw new LimitReached({ ...spent, zone: parts.zone() });
      return await models.ask(isLeft ? { ...request, without } : request, onEvent);
    } finally {
      own.end();
    }
  }

  return {
    spend,
    look,
    async listClose(about) {
      const { personCost, tokens, warnAt } = parts.options();
      const own = about.owner ? tokens.owner : (tokens.person ?? personCost);
      if (own === undefined && tokens.chat === undefined) return { day: today(), zone: parts.zone(), close: [] };
      const { day, states, zone } = await look(about);
      const scopes = ["person", "chat"] as const;
      const close = scopes.flatMap((scope) => findFullest(states, scope) ?? []);
      return { day, zone, close: close.filter((state) => shareOf(state) >= warnAt) };
    },
    guard: (models, cheaper) => ({
      offline: models.offline,
      get contextTokens() {
        return models.contextTokens;
      },
      get inputs() {
        return models.inputs;
      },
      status: () => models.status(),
      async ask(request, onEvent) {
        if (!hasLimits(parts.options(), request.payer)) return models.ask(request, onEvent);
        return askWithinLimits(request, onEvent, { usual: models, cheaper });
      },
    }),
  };
}

function hasLimits({ cost, models, personCost, tokens }: BudgetOptions, { owner }: Payer): boolean {
  const own = owner ? [tokens.owner] : [tokens.person, personCost];
  return [...own, tokens.chat, tokens.all, cost].some((one) => one !== undefined) || Object.keys(models).length > 0;
}
