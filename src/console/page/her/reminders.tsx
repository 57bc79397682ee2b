import { useSignal } from "@preact/signals";
import type { RemindersView, ReminderView } from "../../views/her-views.ts";
import { callServer, findReason } from "../call-server.ts";
import { namePlatform } from "../describe-question.ts";
import { connection } from "../live.ts";
import { pathTo } from "../router.ts";
import type { ReadView } from "../use-view.ts";
import { Empty } from "./empty.tsx";
import type { HerParts } from "./her-parts.ts";
import { isMember } from "../viewer.ts";
import { Confirmation } from "../confirmation.tsx";

/** The reminders of all people, the next first. */
export function Reminders({ reminders, ...parts }: HerParts & { readonly reminders: ReadView<RemindersView> }) {
  const { say, words } = parts;
  const told = useSignal("");
  const list = reminders.view.value;
  if (list === undefined) return <p role="status">{reminders.isLost.value ? words.lost : words.loading}</p>;
  return (
    <section class="sheet" aria-label={say.reminders.title}>
      <p role="status" class={told.value === "" ? "sr" : "her-told small soft"}>
        {told.value}
      </p>
      {list.items.length === 0 && <Empty title={say.reminders.none} how={say.reminders.noneHow} />}
      {list.items.length > 0 && (
        <ul class="her-list">
          {list.items.map((reminder, index) => (
            <Reminder
              key={reminder.id}
              {...parts}
              reminder={reminder}
              isNext={index === 0}
              onDone={(words) => {
                told.value = words;
                void reminders.read();
              }}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Reminder({
  isNext,
  onDone,
  onSignedOut,
  reminder,
  say: { reminders: say },
  time,
  words,
}: HerParts & {
  readonly reminder: ReminderView;
  readonly isNext: boolean;
  readonly onDone: (told: string) => void;
}) {
  const open = useSignal<"change" | "cancel" | undefined>(undefined);
  const isBusy = useSignal(false);
  const isOff = isBusy.value || connection.value.kind !== "live";
  const path = `/reminders/${encodeURIComponent(reminder.id)}` as const;

  async function act(ask: ReturnType<typeof callServer>, done: string): Promise<void> {
    isBusy.value = true;
    const answer = await ask;
    isBusy.value = false;
    if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
    if (answer.kind === "ok") open.value = undefined;
    const isGone = answer.kind === "refused" && answer.status === 404;
    onDone(answer.kind === "ok" ? done : isGone ? say.gone : (findReason(answer) ?? say.failed));
  }
  const toggle = (what: "change" | "cancel") => () => void (open.value = open.value === what ? undefined : what);

  return (
    <li class="her-memory">
      <span class="her-due">
        <time dateTime={new Date(reminder.at).toISOString()}>{time.long(reminder.at)}</time>
        {isNext && <span class="chip acc">{say.next}</span>}
      </span>
      <div class="her-words">
        <span>{reminder.text}</span>
        <span class="d small soft">
          {isMember.value ? (
            `${reminder.chat} ${namePlatform(reminder.platform, words)}`
          ) : (
            <>
              {reminder.person}
              <i class="sep" />
              <a href={pathTo(["chats", reminder.session])}>
                {reminder.chat} {namePlatform(reminder.platform, words)}
              </a>
            </>
          )}
          {[reminder.repeats, reminder.isTask && say.task, reminder.isHeld && say.held].map(
            (fact) =>
              fact && (
                <span key={fact}>
                  <i class="sep" />
                  {fact}
                </span>
              ),
          )}
        </span>
      </div>
      <span class="her-acts">
        <button class="link" type="button" aria-expanded={open.value === "change"} onClick={toggle("change")}>
          {say.change}
        </button>
        <button class="link no" type="button" aria-expanded={open.value === "cancel"} onClick={toggle("cancel")}>
          {say.cancel}
        </button>
      </span>
      {open.value === "change" && (
        <ChangeTime
          say={say}
          isOff={isOff}
          repeats={reminder.repeats !== undefined}
          onSave={(time) => void act(callServer("PUT", path, { time }), say.changed)}
        />
      )}
      {open.value === "cancel" && (
        <Confirmation
          what={say.cancelSure}
          yes={say.cancelYes}
          no={say.no}
          isOff={isOff}
          onYes={() => void act(callServer("DELETE", path), say.cancelled)}
          onNo={toggle("cancel")}
        />
      )}
    </li>
  );
}

function ChangeTime({
  isOff,
  onSave,
  repeats,
  say,
}: {
  readonly say: HerParts["say"]["reminders"];
  readonly isOff: boolean;
  readonly repeats: boolean;
  readonly onSave: (time: string) => void;
}) {
  const text = useSignal("");
  const isEmpty = text.value.trim() === "";
  return (
    <form
      class="her-step"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onSave(text.value);
      }}
    >
      <label class="small">
        {say.time}
        <input
          type="text"
          maxLength={200}
          autocomplete="off"
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </label>
      <span class="her-acts">
        <button class="btn sm yes" type="submit" disabled={isOff || isEmpty}>
          {say.save}
        </button>
        <span class="small soft">{repeats ? say.timeHowOften : say.timeHow}</span>
      </span>
    </form>
  );
}
