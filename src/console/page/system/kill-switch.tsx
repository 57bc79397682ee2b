import { useSignal } from "@preact/signals";
import type { ResumedView, SystemView } from "../../views/system-views.ts";
import { callServer, type ServerAnswer } from "../call-server.ts";
import { connection, serverNow } from "../live.ts";
import { Confirmation } from "../confirmation.tsx";
import type { SystemPageParts } from "./system-parts.ts";

/** Stops everything in two steps, and lets it go on. */
export function KillSwitch({
  onChanged,
  say: { stop: say },
  system: { pause, queues },
  time,
}: SystemPageParts & { readonly system: SystemView; readonly onChanged: () => void }) {
  const isAsked = useSignal(false);
  const isBusy = useSignal(false);
  const told = useSignal("");
  const isOff = isBusy.value || connection.value.kind !== "live";

  async function send(body: object): Promise<void> {
    isBusy.value = true;
    const answer: ServerAnswer<ResumedView | undefined> = await callServer("POST", "/pause", body);
    isBusy.value = false;
    isAsked.value = false;
    if (answer.kind !== "ok") told.value = say.failed;
    else told.value = answer.view === undefined ? say.stopped : say.goesOn(answer.view.kept);
    onChanged();
  }

  return (
    <section class="sheet side" aria-labelledby="kill-switch">
      <h2 class="head" id="kill-switch">
        {say.title}
      </h2>
      {pause === undefined ? (
        <>
          <p class="small soft">{say.what}</p>
          {isAsked.value ? (
            <div class="sys-acts" role="group" aria-label={say.title}>
              <p>{say.sure(queues.running, queues.waiting)}</p>
              <button class="btn no" type="button" disabled={isOff} onClick={() => void send({ on: true })}>
                {say.yes}
              </button>
              <button class="btn" type="button" onClick={() => (isAsked.value = false)}>
                {say.no}
              </button>
            </div>
          ) : (
            <button class="btn no" type="button" disabled={isOff} onClick={() => (isAsked.value = true)}>
              {say.begin}
            </button>
          )}
        </>
      ) : (
        <>
          <p>{say.isOn(pause.name, time.short(pause.since, serverNow()))}</p>
          <div class="sys-acts">
            <button class="btn yes" type="button" disabled={isOff} onClick={() => void send({ on: false })}>
              {say.resume(queues.kept)}
            </button>
            {queues.kept > 0 && !isAsked.value && (
              <button class="btn no" type="button" disabled={isOff} onClick={() => (isAsked.value = true)}>
                {say.resumeWithout}
              </button>
            )}
          </div>
          {queues.kept > 0 && isAsked.value && (
            <Confirmation
              what={say.sureWithout(queues.kept)}
              yes={say.resumeWithout}
              no={say.no}
              isOff={isOff}
              onYes={() => void send({ on: false, drop: true })}
              onNo={() => (isAsked.value = false)}
            />
          )}
        </>
      )}
      <p role="status" class={told.value === "" ? "sr" : "small soft"}>
        {told.value}
      </p>
    </section>
  );
}
