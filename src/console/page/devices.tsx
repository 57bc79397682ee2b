import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LoginsView, LoginView } from "../views/sign-in-views.ts";
import { callServer } from "./call-server.ts";
import { describeBrowser } from "./describe-browser.ts";
import { connection, followChanges, serverNow } from "./live.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** The browsers that are signed in; any of them can be signed out. */
export function Devices({ words, time }: { readonly words: PageWords; readonly time: ShowTime }) {
  const logins = useSignal<readonly LoginView[]>([]);
  const couldNotEnd = useSignal(false);

  async function read(): Promise<void> {
    const answer = await callServer<LoginsView>("GET", "/logins");
    if (answer.kind === "ok") logins.value = answer.view.items;
  }
  async function end(id: string): Promise<void> {
    const answer = await callServer("DELETE", `/logins/${encodeURIComponent(id)}`);
    // Without a row, or without a session of ours, reading again shows how things are.
    couldNotEnd.value = answer.kind === "lost" || (answer.kind === "refused" && ![401, 404].includes(answer.status));
    await read();
  }
  useEffect(() => {
    void read();
    return followChanges(["logins"], () => void read());
  }, []);

  return (
    <section class="sheet side" aria-labelledby="devices">
      <h2 class="head" id="devices">
        {words.devices.title}
      </h2>
      <div role="alert">{couldNotEnd.value && <p class="banner">{words.devices.notEnded}</p>}</div>
      <ul class="devices">
        {logins.value.map((login) => (
          <Device key={login.id} login={login} words={words} time={time} onEnd={() => void end(login.id)} />
        ))}
      </ul>
    </section>
  );
}

function Device({
  login: { browser, here, person, seen, since },
  words: { devices },
  time,
  onEnd,
}: {
  readonly login: LoginView;
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly onEnd: () => void;
}) {
  const name = describeBrowser(browser) ?? devices.unknown;
  const at = (moment: number) => time.short(moment, serverNow());
  return (
    <li>
      <div>
        <b>{name}</b>
        <span class="small soft">
          {person !== undefined && (
            <>
              <span title={person.account}>{person.name}</span>
              <i class="sep" />
            </>
          )}
          {devices.since(at(since))}
          <i class="sep" />
          {here ? devices.here : devices.seen(at(seen))}
        </span>
      </div>
      {!here && (
        <button
          class="btn sm"
          type="button"
          disabled={connection.value.kind !== "live"}
          aria-label={`${devices.end}: ${name}`}
          onClick={onEnd}
        >
          {devices.end}
        </button>
      )}
    </li>
  );
}
