import type { Happening, Meter, RunName } from "../../core/meter.ts";
import { describeCounter, describeGauge, type Family, type Sample } from "./metrics-page.ts";

/** Counts what happens in this process since its start. */
export interface HappeningCounts {
  readonly meter: Meter;
  list(): readonly Family[];
}

type Labels = Readonly<Record<string, string>>;

/** Upper bounds in seconds: from a word of the offline model to a task of many rounds. */
const turnBounds = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640];
const viewBounds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32];
const requestBounds = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];
const openBounds = [5, 15, 30, 60, 120, 300, 600, 1_800];

export function createHappeningCounts(): HappeningCounts {
  const turns = createCounter("kurisu_turns_total", "Runs of turns by how they ended.");
  const durations = createHistogram("kurisu_turn_duration_seconds", "Seconds that runs of turns took.", turnBounds);
  const views = createHistogram(
    "kurisu_first_view_seconds",
    "Seconds from the beginning of a run to the first thing that the person sees.",
    viewBounds,
  );
  const requests = createCounter("kurisu_model_requests_total", "Requests to models, with each attempt.");
  const requestDurations = createHistogram(
    "kurisu_model_request_duration_seconds",
    "Seconds that requests to models took.",
    requestBounds,
  );
  const tokens = createCounter("kurisu_model_tokens_total", "Tokens that models read and wrote.");
  const calls = createCounter("kurisu_tool_calls_total", "Calls of tools by level and outcome.");
  const approvals = createCounter("kurisu_approvals_total", "Questions that were asked, and how they were closed.");
  const opens = createHistogram("kurisu_approval_open_seconds", "Seconds that questions were open.", openBounds);
  const faults = createCounter("kurisu_store_faults_total", "Faults of the database that work had to wait for.");
  faults.add({}, 0);
  /** Runs that go on, with whether the person has seen something of them. */
  const running = new Map<string, { readonly since: number; readonly isTask: boolean; isSeen: boolean }>();

  function see(run: RunName, at: number): void {
    const known = running.get(nameRun(run));
    if (known === undefined || known.isSeen || known.isTask) return;
    known.isSeen = true;
    views.observe({}, (at - known.since) / 1000);
  }

  function endRun({ run, outcome, at }: Extract<Happening, { kind: "turn-ended" }>): void {
    turns.add({ outcome });
    // A channel without live views shows the finished message first.
    if (outcome === "replied" || outcome === "asks") see(run, at);
    const known = running.get(nameRun(run));
    if (known) durations.observe({ outcome }, (at - known.since) / 1000);
    running.delete(nameRun(run));
  }

  function meter(happening: Happening): void {
    switch (happening.kind) {
      case "turn-began": {
        const { run, agent, at } = happening;
        running.set(nameRun(run), { since: at, isTask: agent !== undefined, isSeen: false });
        return;
      }
      case "turn-seen":
        return see(happening.run, happening.at);
      case "turn-ended":
        return endRun(happening);
      case "model-asked": {
        const { model, outcome, input, output, ms } = happening;
        requests.add({ model, outcome });
        requestDurations.observe({ model }, ms / 1000);
        tokens.add({ model, direction: "input" }, input);
        tokens.add({ model, direction: "output" }, output);
        return;
      }
      case "tool-called":
        return calls.add({ level: happening.level, outcome: happening.outcome });
      case "question-asked":
        return approvals.add({ state: "asked" });
      case "question-closed":
        approvals.add({ state: happening.decision });
        opens.observe({ state: happening.decision }, happening.openMs / 1000);
        return;
      case "store-failed":
        return faults.add({});
    }
  }

  return {
    meter,
    list: () => [
      turns.describe(),
      describeGauge("kurisu_turns_running", "Turns that run now, with those of sub-agents.", running.size),
      ...[durations, views, requests, requestDurations, tokens, calls, approvals, opens, faults].map((one) =>
        one.describe(),
      ),
    ],
  };
}

const nameRun = ({ turn, token }: RunName): string => `${turn} ${token}`;

/** One value for each combination of labels; every label has few values. */
function createCounter(name: string, help: string) {
  const values = new Map<string, { readonly labels: Labels; value: number }>();
  return {
    add(labels: Labels, more = 1): void {
      const known = values.get(JSON.stringify(labels));
      if (known) known.value += more;
      else values.set(JSON.stringify(labels), { labels, value: more });
    },
    describe: () => describeCounter(name, help, [...values.values()]),
  };
}

function createHistogram(name: string, help: string, bounds: readonly number[]) {
  const counts = new Map<string, { readonly labels: Labels; readonly buckets: number[]; sum: number; count: number }>();

  function observe(labels: Labels, value: number): void {
    const key = JSON.stringify(labels);
    const one = counts.get(key) ?? { labels, buckets: bounds.map(() => 0), sum: 0, count: 0 };
    counts.set(key, one);
    one.sum += value;
    one.count += 1;
    // Each bucket holds the smaller ones too.
    for (const [index, bound] of bounds.entries())
      if (value <= bound) one.buckets[index] = (one.buckets[index] ?? 0) + 1;
  }

  const describe = (): Family => ({
    name,
    help,
    type: "histogram",
    samples: [...counts.values()].flatMap(({ labels, buckets, sum, count }): readonly Sample[] => [
      ...bounds.map((bound, index) => ({
        suffix: "_bucket" as const,
        labels: { ...labels, le: String(bound) },
        value: buckets[index] ?? 0,
      })),
      { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: count },
      { suffix: "_sum", labels, value: sum },
      { suffix: "_count", labels, value: count },
    ]),
  });
  return { observe, describe };
}
