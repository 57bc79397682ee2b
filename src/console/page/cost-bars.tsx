import type { TodayView } from "../views/today-views.ts";
import { createShowAmount } from "./show-amount.ts";
import type { PageWords } from "./words/zh.ts";

const [width, height, gap] = [280, 60, 4] as const;

/** The cost of the last days, a bar each. */
export function CostBars({ today: { cost }, words }: { readonly today: TodayView; readonly words: PageWords }) {
  const say = words.cost;
  const amount = createShowAmount(words.tag);
  const hasPrice = cost.spent !== undefined;
  const values = cost.days.map(({ spent, tokens }) => (hasPrice ? spent : tokens));
  const max = Math.max(...values);
  if (max === 0) return null;
  const show = hasPrice ? amount.money : amount.tokens;
  const used = values.filter((value) => value > 0);
  const mean = used.reduce((sum, value) => sum + value, 0) / used.length;
  const step = (width + gap) / values.length;
  const day = (name: string | undefined) => (name ?? "").slice(5).replace("-", "/");
  return (
    <section class="sheet side" aria-labelledby="cost">
      <div class="head">
        <h2 id="cost">{say.title(values.length)}</h2>
        <span class="small soft">{say.mean(show(mean))}</span>
      </div>
      <svg
        class="bars"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say.today(show(values.at(-1) ?? 0))}
      >
        {cost.days.map((one, at) => {
          const tall = Math.max(((values[at] ?? 0) / max) * height, 1.5);
          return (
            <rect
              key={one.day}
              class={at === values.length - 1 ? "now" : ""}
              x={at * step}
              y={height - tall}
              width={step - gap}
              height={tall}
            >
              <title>{`${one.day} ${show(values[at] ?? 0)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="axis">
        <span>{day(cost.days[0]?.day)}</span>
        <span>{words.pages.today}</span>
      </div>
    </section>
  );
}
