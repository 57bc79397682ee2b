import type { RecordView, TodayView } from "../views/today-views.ts";
import { pathTo } from "./router.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** The record of the day, on the line with ticks. */
export function DayRecord({
  today: { now, record },
  words,
  time,
}: {
  readonly today: TodayView;
  readonly words: PageWords;
  readonly time: ShowTime;
}) {
  return (
    <section class="sheet side" aria-labelledby="record">
      <h2 class="head" id="record">
        {words.record.title}
      </h2>
      {record.length === 0 ? (
        <p class="small soft last">{words.record.empty}</p>
      ) : (
        <ol class="line">
          {record.map((row) => (
            <li key={`${row.at}${row.what}${row.session ?? ""}`} class={row.mark}>
              <time dateTime={new Date(row.at).toISOString()}>{time.short(row.at, now)}</time>
              <span class="t">{describe(row, words)}</span>
              {row.chat !== undefined && row.session !== undefined && (
                <a class="d" href={pathTo(["chats", row.session])}>
                  {row.chat}
                </a>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function describe(row: RecordView, { record }: PageWords): string {
  const kinds: Readonly<Record<string, (row: RecordView) => string>> = record.kinds;
  return kinds[row.what]?.(row) ?? row.what;
}

/** The next reminders of all people. */
export function ComesNext({
  today: { next, now },
  words,
  time,
}: {
  readonly today: TodayView;
  readonly words: PageWords;
  readonly time: ShowTime;
}) {
  if (next.length === 0) return null;
  return (
    <section class="sheet side" aria-labelledby="next">
      <h2 class="head" id="next">
        {words.record.next}
      </h2>
      <ul class="due">
        {next.map(({ at, text, who }) => (
          <li key={`${at}${text}`}>
            <time dateTime={new Date(at).toISOString()}>{time.short(at, now)}</time>
            <span>
              {text}
              <i class="sep" />
              <span class="soft">{who}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
