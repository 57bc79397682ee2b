import { useSignal } from "@preact/signals";
import type { RequestAnswerView, RequestView, StrangerView, TodayView } from "../views/today-views.ts";
import { callServer } from "./call-server.ts";
import { connection } from "./live.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** The route that takes the answer; a code is no part of an address. */
interface Asked {
  readonly path: `/${string}`;
  readonly code?: string;
}

/** Strangers who wait to be let in. `onAnswered` = the list has changed and is read again. */
export function Strangers({
  today: { now, requests, strangers },
  words,
  time,
  isOld,
  onAnswered,
}: {
  readonly today: Pick<TodayView, "now" | "requests" | "strangers">;
  readonly words: PageWords;
  readonly time: ShowTime;
  /** Others may wait by now. */
  readonly isOld: boolean;
  readonly onAnswered: () => void;
}) {
  const told = useSignal("");
  const isBusy = useSignal(false);
  const say = words.strangers;
  const isOff = isBusy.value || isOld || connection.value.kind !== "live";
  if (strangers.length + requests.length === 0 && told.value === "") return null;

  async function answer({ code, path }: Asked, accept: boolean, name: string): Promise<void> {
    isBusy.value = true;
    const answered = await callServer<RequestAnswerView | undefined>("POST", path, {
      accept,
      ...(code !== undefined && { code }),
    });
    isBusy.value = false;
    if (answered.kind === "ok") told.value = answered.view?.text ?? (accept ? say.letIn(name) : say.turnedAway(name));
    else told.value = answered.kind === "refused" && answered.status === 404 ? say.gone : say.failed;
    onAnswered();
  }

  const row = (
    key: string,
    asked: Asked,
    { expires, person, ...shown }: { name: string; title: string; detail: string; person: string; expires: number },
  ) => (
    <div class="wish" key={key}>
      <b class="t">{shown.title}</b>
      <span class="d">
        {[person, shown.detail, say.until(time.short(expires, now))]
          .filter((part) => part !== "")
          .map((part, at) => (
            <>
              {at > 0 && <i class="sep" />}
              {part}
            </>
          ))}
      </span>
      <span class="acts">
        <button class="btn sm" type="button" disabled={isOff} onClick={() => void answer(asked, true, shown.name)}>
          {say.accept}
        </button>
        <button class="btn sm no" type="button" disabled={isOff} onClick={() => void answer(asked, false, shown.name)}>
          {say.decline}
        </button>
      </span>
    </div>
  );
  return (
    <section class="sheet" aria-label={say.title}>
      {strangers.map((stranger: StrangerView) =>
        row(
          stranger.code,
          { path: "/pairings", code: stranger.code },
          {
            ...stranger,
            title: say.wantsToTalk(stranger.name),
            detail: say.code(stranger.code),
          },
        ),
      )}
      {requests.map((request: RequestView) =>
        row(
          request.id,
          { path: `/requests/${encodeURIComponent(request.id)}` },
          {
            ...request,
            name: request.person,
            title: say.kinds[request.kind](request.chat),
            detail: request.comment === "" ? "" : `「${request.comment}」`,
          },
        ),
      )}
      <p role="status" class={told.value === "" ? "sr" : "wish small soft"}>
        {told.value}
      </p>
    </section>
  );
}
