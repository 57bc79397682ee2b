import type { PartView } from "../../views/today-views.ts";
import type { SystemView } from "../../views/system-views.ts";
import { serverNow } from "../live.ts";
import { isOdd, namePart } from "../today-readings.tsx";
import { useView } from "../use-view.ts";
import { DeadLetters } from "./dead-letters.tsx";
import { KillSwitch } from "./kill-switch.tsx";
import type { SystemPageParts } from "./system-parts.ts";

/** The parts of Kurisu with their state, the queues, the undelivered messages, and the kill switch. */
export function Parts(parts: SystemPageParts) {
  const { onSignedOut, say, time, words } = parts;
  const { isLost, read, view } = useView<SystemView>(
    "/system",
    ["health", "pause", "inbox", "outbox", "turns"],
    onSignedOut,
    1_000,
  );
  const system = view.value;
  if (system === undefined) return <p role="status">{isLost.value ? words.lost : words.loading}</p>;
  const { kept, oldestUnsent, putAside, running, unsent, waiting } = system.queues;
  const queue = say.queues;
  return (
    <div class="two">
      <div>
        <section class="sheet side" aria-labelledby="parts">
          <h2 class="head" id="parts">
            {say.parts.title}
          </h2>
          <ul class="sys-list">
            {system.parts.map((part) => (
              <Part key={part.name} part={part} parts={parts} />
            ))}
          </ul>
        </section>
        <DeadLetters {...parts} />
      </div>
      <div>
        <section class="sheet side" aria-labelledby="queues">
          <h2 class="head" id="queues">
            {queue.title}
          </h2>
          <dl class="sys-counts">
            <dt>{queue.running}</dt>
            <dd>{running}</dd>
            <dt>{queue.waiting}</dt>
            <dd>{waiting}</dd>
            {kept > 0 && (
              <>
                <dt>{queue.kept}</dt>
                <dd>{kept}</dd>
              </>
            )}
            <dt>{queue.unsent}</dt>
            <dd>
              {unsent}
              {oldestUnsent !== undefined && (
                <small class="soft"> {queue.oldest(time.short(oldestUnsent, serverNow()))}</small>
              )}
            </dd>
            <dt>{queue.putAside}</dt>
            <dd>{putAside}</dd>
          </dl>
          {putAside > 0 && <p class="small soft">{queue.putAsideHow}</p>}
        </section>
        <KillSwitch {...parts} system={system} onChanged={() => void read()} />
      </div>
    </div>
  );
}

function Part({ part, parts: { say, time, words } }: { readonly part: PartView; readonly parts: SystemPageParts }) {
  return (
    <li>
      <span class={`dot ${part.state}`} />
      <div>
        <b>{namePart(part, words)}</b> <span class={isOdd(part) ? "" : "soft"}>{words.states[part.state]}</span>{" "}
        <span class="small soft">{words.today.since(time.short(part.since, serverNow()))}</span>
        <span class="d small">{part.detail}</span>
        {isOdd(part) && <span class="d small">{say.parts.todo}</span>}
      </div>
    </li>
  );
}
