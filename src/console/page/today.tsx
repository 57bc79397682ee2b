import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LoginsView, LoginView } from "../views/sign-in-views.ts";
import type { PartView, TodayView } from "../views/today-views.ts";
import { callServer } from "./call-server.ts";
import { describeBrowser } from "./describe-browser.ts";
import { connection, followChanges, serverNow } from "./live.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

const topics = ["health", "pause", "logins"];

/** How she is, and who is signed in. `onSignedOut` = the server does not know us any more. */
export function Today({
  words,
  time,
  onSignedOut,
}: {
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly onSignedOut: () => void;
}) {
  const today = useSignal<TodayView | undefined>(undefined);
  const logins = useSignal<readonly LoginView[]>([]);
  const couldNotEnd = useSignal(false);

  async function read(): Promise<void> {
    const [well, devices] = await Promise.all([
      callServer<TodayView>("GET", "/today"),
      callServer<LoginsView>("GET", "/logins"),
    ]);
    if ([well, devices].some((answer) => answer.kind === "refused" && answer.status === 401)) return onSignedOut();
    if (well.kind === "ok") today.value = well.view;
    if (devices.kind === "ok") logins.value = devices.view.items;
  }

  async function end(id: string): Promise<void> {
    const answer = await callServer("DELETE", `/logins/${encodeURIComponent(id)}`);
    // Without a row, or without a session of ours, reading again shows how things are.
    couldNotEnd.value = answer.kind === "lost" || (answer.kind === "refused" && ![401, 404].includes(answer.status));
    await read();
  }

  useEffect(() => {
    void read();
    return followChanges(topics, () => void read());
  }, []);

  const shown = today.value;
  const isLost = connection.value.kind === "lost";
  const sentence = shown && describeState(shown, words, time);
  useEffect(() => {
    document.title = sentence === undefined ? "Kurisu" : `${sentence} · Kurisu`;
  }, [sentence]);

  return (
    <>
      <section class={`state ${isLost ? "stale" : ""}`} aria-label={words.today.parts}>
        {shown === undefined ? (
          <h1>{words.loading}</h1>
        ) : (
          <>
            <p class="when">{isLost ? words.today.asOf(time.short(shown.now, serverNow())) : time.long(shown.now)}</p>
            <h1>{sentence}</h1>
            {shown.well.state === "paused" && <p class="soft small">{words.today.pausedHint}</p>}
            {shown.well.state === "model" && <p class="soft small">{words.today.modelHint}</p>}
            <dl class="glance">
              {shown.well.parts.map((part) => (
                <Part key={part.name} part={part} words={words} at={(since) => time.short(since, shown.now)} />
              ))}
            </dl>
          </>
        )}
      </section>
      <section aria-labelledby="devices">
        <h2 class="head" id="devices">
          {words.devices.title}
        </h2>
        <div role="alert">{couldNotEnd.value && <p class="banner">{words.devices.notEnded}</p>}</div>
        <ul class="sheet devices">
          {logins.value.map((login) => (
            <Device
              key={login.id}
              login={login}
              words={words}
              at={(moment) => time.short(moment, shown?.now ?? serverNow())}
              onEnd={() => void end(login.id)}
            />
          ))}
        </ul>
      </section>
    </>
  );
}

function Part({
  part: { detail, name, since, state },
  words,
  at,
}: {
  readonly part: PartView;
  readonly words: PageWords;
  readonly at: (moment: number) => string;
}) {
  const names: Readonly<Record<string, string>> = words.parts;
  return (
    <div class={state}>
      <dt>
        <span class={`dot ${state}`} />
        {names[name] ?? name}
      </dt>
      <dd class="v">{words.states[state]}</dd>
      <dd class="n" lang="en">
        {detail}
      </dd>
      {state !== "ready" && state !== "off" && <dd class="n">{words.today.since(at(since))}</dd>}
    </div>
  );
}

function Device({
  login: { browser, here, seen, since },
  words,
  at,
  onEnd,
}: {
  readonly login: LoginView;
  readonly words: PageWords;
  readonly at: (moment: number) => string;
  readonly onEnd: () => void;
}) {
  const name = describeBrowser(browser) ?? words.devices.unknown;
  return (
    <li>
      <div>
        <b>{name}</b>
        <span class="small soft">
          {words.devices.since(at(since))}
          <i class="sep" />
          {here ? words.devices.here : words.devices.seen(at(seen))}
        </span>
      </div>
      {!here && (
        <button class="btn sm" type="button" aria-label={`${words.devices.end}: ${name}`} onClick={onEnd}>
          {words.devices.end}
        </button>
      )}
    </li>
  );
}

function describeState({ now, pause, well }: TodayView, { today }: PageWords, time: ShowTime): string {
  switch (well.state) {
    case "well":
      return today.well;
    case "watch":
      return today.watch(well.parts.filter(({ state }) => state === "failed" || state === "degraded").length);
    case "model":
      return today.model;
    case "paused":
      return today.paused(pause?.name ?? "", pause ? time.short(pause.since, now) : "");
  }
}
