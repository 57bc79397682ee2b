import { useSignal } from "@preact/signals";
import type { ForgottenMemoryView, MemoryView } from "../../views/her-views.ts";
import { callServer, type ServerAnswer } from "../call-server.ts";
import { connection } from "../live.ts";
import type { HerParts } from "./her-parts.ts";
import { MemorySources } from "./memory-sources.tsx";
import { Confirmation } from "../confirmation.tsx";

/** One memory: its words, where it comes from, and what the owner may do with it. */
export function MemoryRow({
  memory,
  now,
  onDone,
  ...parts
}: HerParts & { readonly memory: MemoryView; readonly now: number; readonly onDone: (told: string) => void }) {
  const { time } = parts;
  const say = parts.say.memories;
  const open = useSignal<"source" | "correct" | "forget" | undefined>(undefined);
  const isBusy = useSignal(false);
  const isOff = isBusy.value || connection.value.kind !== "live";
  const path = `/memories/${memory.id}` as const;

  async function act<View>(ask: Promise<ServerAnswer<View>>, tell: (view: View) => string): Promise<void> {
    isBusy.value = true;
    const answer = await ask;
    isBusy.value = false;
    if (answer.kind === "refused" && answer.status === 401) return parts.onSignedOut();
    if (answer.kind === "ok") open.value = undefined;
    const isRefused = answer.kind === "refused" && answer.status === 400;
    const isGone = answer.kind === "refused" && answer.status === 404;
    onDone(answer.kind === "ok" ? tell(answer.view) : isRefused ? say.refused : isGone ? say.gone : say.failed);
  }
  const pin = () =>
    act(callServer("PUT", path, { pinned: !memory.isPinned }), () => (memory.isPinned ? say.done.unpin : say.done.pin));
  const correct = (text: string) => act(callServer("PUT", path, { text }), () => say.done.correct);
  const forget = () =>
    act(callServer<ForgottenMemoryView>("DELETE", path), ({ memories, stay }) =>
      [
        say.done.forget(memories),
        ...(stay.length === 0 ? [] : [say.stay, stay.map(({ text }) => text).join("; ")]),
      ].join(" "),
    );
  const toggle = (what: "source" | "correct" | "forget") => () =>
    void (open.value = open.value === what ? undefined : what);

  return (
    <li class="her-memory">
      <span class="chip">{say.categories[memory.category]}</span>
      <div class="her-words">
        {memory.before !== undefined && (
          <>
            <s>{memory.before}</s>
            <span aria-hidden="true"> → </span>
          </>
        )}
        <span>{memory.text}</span>
        <Facts memory={memory} now={now} time={time} say={say} />
      </div>
      <span class="her-acts">
        <button class="link" type="button" aria-expanded={open.value === "source"} onClick={toggle("source")}>
          {say.source}
        </button>
        <button class="link" type="button" disabled={isOff} onClick={() => void pin()}>
          {memory.isPinned ? say.unpin : say.pin}
        </button>
        <button class="link" type="button" aria-expanded={open.value === "correct"} onClick={toggle("correct")}>
          {say.correct}
        </button>
        <button class="link no" type="button" aria-expanded={open.value === "forget"} onClick={toggle("forget")}>
          {say.forget}
        </button>
      </span>
      {open.value === "source" && <MemorySources {...parts} path={`${path}/sources`} now={now} />}
      {open.value === "correct" && (
        <Correct memory={memory} say={say} isOff={isOff} onSave={(text) => void correct(text)} />
      )}
      {open.value === "forget" && (
        <Confirmation
          what={say.forgetSure}
          yes={say.forgetYes}
          no={say.no}
          isOff={isOff}
          onYes={() => void forget()}
          onNo={toggle("forget")}
        />
      )}
    </li>
  );
}

type Say = HerParts["say"]["memories"];

function Facts({
  memory: { at, chat, confidence, isForeign, isPinned, origin, usedAt, uses },
  now,
  say,
  time,
}: {
  readonly memory: MemoryView;
  readonly now: number;
  readonly say: Say;
  readonly time: HerParts["time"];
}) {
  const facts = [
    time.day(at, now),
    say.origins[origin],
    ...(chat === undefined ? [] : [say.inGroup(chat)]),
    ...(confidence < 1 ? [say.sure(Math.round(confidence * 100))] : []),
    ...(isForeign ? [say.foreign] : []),
    ...(uses > 0 ? [say.used(uses, time.day(usedAt, now))] : []),
    ...(isPinned ? [say.pinned] : []),
  ];
  return (
    <span class="d small soft">
      {facts.map((fact, index) => (
        <span key={fact}>
          {fact}
          {index < facts.length - 1 && <i class="sep" />}
        </span>
      ))}
    </span>
  );
}

function Correct({
  isOff,
  memory,
  onSave,
  say,
}: {
  readonly memory: MemoryView;
  readonly say: Say;
  readonly isOff: boolean;
  readonly onSave: (text: string) => void;
}) {
  const text = useSignal(memory.text);
  const isSame = text.value.trim() === "" || text.value.trim() === memory.text;
  return (
    <form
      class="her-step"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) onSave(text.value);
      }}
    >
      <label class="small">
        {say.words}
        <input
          type="text"
          maxLength={500}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </label>
      <span class="her-acts">
        <button class="btn sm yes" type="submit" disabled={isOff || isSame}>
          {say.save}
        </button>
        <span class="small soft">{say.correctHow}</span>
      </span>
    </form>
  );
}
