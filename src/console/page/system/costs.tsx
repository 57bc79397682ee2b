import { useSignal } from "@preact/signals";
import type { UsageRowView, UsageView } from "../../views/system-views.ts";
import { serverNow } from "../live.ts";
import { pathTo } from "../router.ts";
import { createShowAmount, type ShowAmount } from "../show-amount.ts";
import { useView } from "../use-view.ts";
import type { SystemPageParts } from "./system-parts.ts";

const spans = [7, 14, 31] as const;
const keys = ["model", "person", "session", "tool"] as const;
const dayMs = 24 * 3_600_000;

/** The costs: the days as bars, then sums by model, person, conversation and tool. */
export function Costs(parts: SystemPageParts) {
  const { onSignedOut, say, time, words } = parts;
  const span = useSignal<(typeof spans)[number]>(14);
  const by = useSignal<(typeof keys)[number]>("model");
  const to = time.date(serverNow());
  const from = time.date(serverNow() - (span.value - 1) * dayMs);
  const days = useView<UsageView>(`/usage?from=${from}&to=${to}&by=day`, ["usage"], onSignedOut, 2_000);
  const split = useView<UsageView>(`/usage?from=${from}&to=${to}&by=${by.value}`, ["usage"], onSignedOut, 2_000);
  const view = days.view.value;
  if (view === undefined) return <p role="status">{days.isLost.value ? words.lost : words.loading}</p>;
  const amount = createShowAmount(words.tag);
  const { hasPrice, rows } = view;
  return (
    <div>
      <div class="sys-filters">
        <span class="seg" role="group" aria-label={say.cost.span}>
          {spans.map((one) => (
            <button key={one} type="button" aria-pressed={span.value === one} onClick={() => (span.value = one)}>
              {say.cost.days(one)}
            </button>
          ))}
        </span>
      </div>
      <Days rows={rows} span={span.value} to={to} hasPrice={hasPrice} amount={amount} parts={parts} />
      <div class="sys-filters">
        <span class="seg" role="group" aria-label={say.cost.by}>
          {keys.map((one) => (
            <button key={one} type="button" aria-pressed={by.value === one} onClick={() => (by.value = one)}>
              {say.cost.keys[one]}
            </button>
          ))}
        </span>
      </div>
      {by.value === "tool" && <p class="small soft">{say.cost.ofTools}</p>}
      {split.view.value?.by === by.value && (
        <Split view={split.view.value} hasPrice={hasPrice} amount={amount} parts={parts} />
      )}
    </div>
  );
}

interface Shared {
  readonly hasPrice: boolean;
  readonly amount: ShowAmount;
  readonly parts: SystemPageParts;
}

const tokensOf = ({ input, output }: UsageRowView): number => input + output;

/** Days without requests have no row, and no bar. */
function Days({
  amount,
  hasPrice,
  parts: { say },
  rows,
  span,
  to,
}: Shared & { readonly rows: readonly UsageRowView[]; readonly span: number; readonly to: string }) {
  const valueOf = (row: UsageRowView) => (hasPrice ? row.spent : tokensOf(row));
  const show = hasPrice ? amount.money : (value: number) => `${amount.tokens(value)} token`;
  const end = Date.parse(to);
  const days = Array.from({ length: span }, (_, index) =>
    new Date(end - (span - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
  const values = days.map((day) => {
    const row = rows.find(({ key }) => key === day);
    return row === undefined ? 0 : valueOf(row);
  });
  const most = Math.max(...values);
  const sum = values.reduce((all, value) => all + value, 0);
  return (
    <section class="sheet side" aria-label={say.cost.title}>
      <p>
        <b class="sys-sum">{show(sum)}</b> <span class="soft small">{say.cost.days(span)}</span>
      </p>
      <div class="sys-bars" role="img" aria-label={say.cost.summary(show(sum), show(most))}>
        {days.map((day, index) => (
          <i
            key={day}
            class={index === days.length - 1 ? "now" : ""}
            title={`${day} ${show(values[index] ?? 0)}`}
            style={{ height: `${most === 0 ? 0 : Math.max(((values[index] ?? 0) / most) * 100, 2)}%` }}
          />
        ))}
      </div>
      <div class="sys-axis small soft" aria-hidden="true">
        <span>{days[0]?.slice(5)}</span>
        <span>{days.at(-1)?.slice(5)}</span>
      </div>
    </section>
  );
}

function Split({ amount, hasPrice, parts: { say }, view }: Shared & { readonly view: UsageView }) {
  if (view.rows.length === 0) return <p class="small soft">{say.cost.none}</p>;
  return (
    <div class="sheet sys-table-frame">
      <table class="sys-table">
        <thead>
          <tr>
            <th scope="col">{say.cost.keys[view.by === "day" ? "model" : view.by]}</th>
            {hasPrice && (
              <th scope="col" class="n">
                {say.cost.spent}
              </th>
            )}
            <th scope="col" class="n">
              token
            </th>
            <th scope="col" class="n wide">
              {say.cost.cached}
            </th>
            <th scope="col" class="n wide">
              {say.cost.calls}
            </th>
          </tr>
        </thead>
        <tbody>
          {view.rows.map((row) => (
            <tr key={row.key}>
              <td>{view.by === "session" ? <a href={pathTo(["chats", row.key])}>{row.name}</a> : row.name}</td>
              {hasPrice && <td class="n">{amount.money(row.spent)}</td>}
              <td class="n">
                {amount.tokens(tokensOf(row))}
                {row.estimated > 0 && <abbr title={say.cost.estimated(row.estimated)}> ≈</abbr>}
              </td>
              <td class="n wide">{row.input === 0 ? "–" : amount.share(row.cached / row.input)}</td>
              <td class="n wide">{row.calls}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
