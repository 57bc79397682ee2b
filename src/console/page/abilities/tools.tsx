import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ToolsView, ToolView } from "../../views/abilities-views.ts";
import { SearchIcon } from "../icons.tsx";
import type { AbilityParts } from "./ability-parts.ts";
import { Nothing } from "./nothing.tsx";
import { shortPlace } from "./short-place.ts";
import { Why } from "./why.tsx";

const chips = { safe: "free", confirm: "hold", deny: "never", held: "never" } as const;
const filters = ["all", "safe", "confirm", "closed"] as const;
type Filter = (typeof filters)[number];
/** Fewer on a phone, so that the form below the table is not far away. */
const countFirst = (): number => (matchMedia("(max-width: 760px)").matches ? 8 : 80);

/** Every tool with its level, and next to the table a form that tries out a call. */
export function Tools({ tools: { items, now }, ...parts }: AbilityParts & { readonly tools: ToolsView }) {
  const say = parts.say.tools;
  const typed = useSignal("");
  const filter = useSignal<Filter>("all");
  const chosen = useSignal("");
  const isWhole = useSignal(false);
  const trial = useRef<HTMLElement>(null);
  if (items.length === 0) return <Nothing title={parts.say.tabs.tools} how={say.none} />;

  const fitting = items.filter((tool) => fitsWords(tool, typed.value) && fitsFilter(tool, filter.value));
  const shown = isWhole.value ? fitting : fitting.slice(0, countFirst());
  const names = { all: say.all, safe: say.levels.safe, confirm: say.levels.confirm, closed: say.closed };
  function choose(tool: string): void {
    chosen.value = tool;
    trial.current?.scrollIntoView({ block: "nearest" });
    trial.current?.querySelector("textarea")?.focus({ preventScroll: true });
  }
  return (
    <div class="two">
      <section aria-label={parts.say.tabs.tools}>
        <div class="able-filters">
          <div class="find" role="search">
            <SearchIcon />
            <input
              type="search"
              aria-label={say.find}
              placeholder={say.find}
              value={typed.value}
              onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
            />
          </div>
          <span class="seg" role="group" aria-label={say.columns.level}>
            {filters.map((one) => (
              <button type="button" key={one} aria-pressed={one === filter.value} onClick={() => (filter.value = one)}>
                {names[one]} {items.filter((tool) => fitsFilter(tool, one)).length}
              </button>
            ))}
          </span>
        </div>
        {fitting.length === 0 ? (
          <p class="empty" role="status">
            {say.nothing}
          </p>
        ) : (
          <div class="sheet">
            <table class="able-table">
              <thead>
                <tr>
                  <th scope="col">{say.columns.tool}</th>
                  <th scope="col">{say.columns.level}</th>
                  <th scope="col">{say.columns.source}</th>
                  <th scope="col" class="n">
                    {say.columns.uses}
                  </th>
                  <th scope="col" class="n">
                    {say.columns.last}
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((tool) => (
                  <ToolRow
                    key={tool.name}
                    tool={tool}
                    now={now}
                    isChosen={tool.name === chosen.value}
                    onChosen={() => choose(tool.name)}
                    {...parts}
                  />
                ))}
              </tbody>
            </table>
            {fitting.length > shown.length && (
              <button class="link able-more" type="button" onClick={() => (isWhole.value = true)}>
                {say.more(fitting.length - shown.length)}
              </button>
            )}
          </div>
        )}
      </section>
      <Why {...parts} tools={items} chosen={chosen} place={trial} />
    </div>
  );
}

function ToolRow({
  tool,
  now,
  isChosen,
  onChosen,
  say,
  time,
}: AbilityParts & {
  readonly tool: ToolView;
  readonly now: number;
  readonly isChosen: boolean;
  readonly onChosen: () => void;
}) {
  const { by, description, lastUsed, level, missing, name, place, source, uses } = tool;
  const words = say.tools;
  return (
    <tr class={isChosen ? "on" : undefined}>
      <td>
        <button class="mono able-name" type="button" aria-label={words.try(name)} onClick={onChosen}>
          {name}
        </button>
        <span class="d">{description}</span>
        {missing !== undefined && <span class="d lack">{words.missing(missing)}</span>}
      </td>
      <td class="lv">
        <span class={`chip ${chips[level]}`}>{words.levels[level]}</span>
      </td>
      <td class="from">
        {words.sources[source]}
        {by !== undefined && (
          <>
            <i class="sep" />
            {words.replaced(by)}
          </>
        )}
        {place !== undefined && <span class="d mono">{shortPlace(place)}</span>}
      </td>
      <td class="n">{uses}</td>
      <td class="n soft">{lastUsed === undefined ? words.never : time.brief(lastUsed, now)}</td>
    </tr>
  );
}

function fitsWords({ description, name }: ToolView, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  const about = `${name} ${description}`.toLowerCase();
  return words.every((word) => about.includes(word));
}

function fitsFilter({ level, missing }: ToolView, filter: Filter): boolean {
  const isClosed = level === "deny" || level === "held" || missing !== undefined;
  if (filter === "all") return true;
  return filter === "closed" ? isClosed : level === filter && !isClosed;
}
