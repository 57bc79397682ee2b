import type { CostView, PartView, TodayView } from "../views/today-views.ts";
import { createShowAmount } from "./show-amount.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** The four readings: how she is, what waits, what she did, what it cost. */
export function Readings({
  today: { cost, did, now, requests, strangers, well },
  questions,
  words,
  time,
}: {
  readonly today: TodayView;
  /** Open questions; undefined until they were read. */
  readonly questions: number | undefined;
  readonly words: PageWords;
  readonly time: ShowTime;
}) {
  const say = words.today;
  const odd = well.parts.filter(isOdd);
  // One part that needs a look does not make her ill.
  const state = odd.some(isFailed) ? "failed" : "ready";
  const people = strangers.length + requests.length;
  const waits = (questions ?? 0) + people;
  return (
    <dl class="glance">
      <div>
        <dt>
          <span class={`dot ${state}`} />
          {say.body}
        </dt>
        <dd class="v">
          {words.states[state]} <small>{say.bodyCount(well.parts.length, odd.length)}</small>
        </dd>
        <dd class="parts">
          {well.parts.map((part) => (
            <span key={part.name} class={isOdd(part) ? part.state : "fine"} title={part.detail}>
              <span class={`dot ${part.state}`} />
              {namePart(part, words)}
              {isOdd(part) && <> {say.since(time.short(part.since, now))}</>}
              {part.state === "off" && <> {words.states.off}</>}
            </span>
          ))}
        </dd>
      </div>
      <div>
        <dt>{say.waits}</dt>
        <dd class={waits > 0 ? "v wait" : "v"}>
          {waits} <small>{say.waitsUnit(waits)}</small>
        </dd>
        <dd class="n">{say.waitsWhat(questions ?? 0, people)}</dd>
      </div>
      <div>
        <dt>{say.did}</dt>
        <dd class="v">
          {did.turns} <small>{say.turns(did.turns)}</small>
        </dd>
        <dd class="n">{say.didWhat(did.calls, did.refused)}</dd>
      </div>
      <Cost cost={cost} words={words} />
    </dl>
  );
}

/** Each part that needs a look, with what it says of itself. */
export function OddParts({
  today: { now, well },
  words,
  time,
}: {
  readonly today: TodayView;
  readonly words: PageWords;
  readonly time: ShowTime;
}) {
  const odd = well.parts.filter(isOdd);
  if (odd.length === 0) return null;
  return (
    <ul class="odd" aria-label={words.today.parts}>
      {odd.map((part) => (
        <li key={part.name}>
          <span class={`dot ${part.state}`} />
          <b>{namePart(part, words)}</b>
          <span>{part.detail}</span>
          <span class="soft">{words.today.since(time.short(part.since, now))}</span>
        </li>
      ))}
    </ul>
  );
}

function Cost({ cost, words }: { readonly cost: CostView; readonly words: PageWords }) {
  const say = words.today;
  const amount = createShowAmount(words.tag);
  const { cached, limit, spent, tokens } = cost;
  const used = spent ?? tokens;
  const share = limit === undefined || limit === 0 ? undefined : Math.min(used / limit, 1);
  return (
    <div>
      <dt>{say.cost}</dt>
      <dd class="v">
        {spent === undefined ? amount.tokens(tokens) : amount.money(spent)}{" "}
        <small>
          {spent === undefined && "token"}
          {limit !== undefined && <> / {spent === undefined ? amount.tokens(limit) : amount.money(limit)}</>}
        </small>
      </dd>
      <dd class="n">
        {[
          ...(spent === undefined ? [] : [`${amount.tokens(tokens)} token`]),
          ...(cached === undefined ? [] : [say.cached(amount.share(cached))]),
        ].join(say.comma)}
      </dd>
      {share !== undefined && (
        <dd class="meter" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </dd>
      )}
    </div>
  );
}

export const isOdd = ({ state }: PartView): boolean =>
  state === "failed" || state === "degraded" || state === "starting";
const isFailed = ({ state }: PartView): boolean => state === "failed";

export function namePart({ name }: PartView, words: PageWords): string {
  const names: Readonly<Record<string, string>> = words.parts;
  return names[name] ?? name;
}
