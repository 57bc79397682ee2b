import { useSignal } from "@preact/signals";
import type { ReplyCheckView, TrialFault } from "../../../views/trial-views.ts";
import { connection } from "../../live.ts";
import { askTrial } from "./ask-trial.ts";
import { Faults, Judged } from "./judged.tsx";
import { Panel } from "./panel.tsx";
import type { TrialParts } from "./trial-parts.ts";

/** Holds a reply against the persona. No model is asked. */
export function CheckReply(parts: TrialParts) {
  const say = parts.say.check;
  const reply = useSignal("");
  const last = useSignal("");
  const isAsking = useSignal(false);
  const told = useSignal("");
  const answer = useSignal<ReplyCheckView | undefined>(undefined);
  const faults = useSignal<readonly TrialFault[]>([]);
  const isOff = isAsking.value || reply.value.trim() === "" || connection.value.kind !== "live";
  const clear = (): void => {
    answer.value = undefined;
    faults.value = [];
    told.value = "";
  };

  async function check(): Promise<void> {
    if (isOff) return;
    clear();
    isAsking.value = true;
    const given = { reply: reply.value, ...(last.value !== "" && { last: last.value }) };
    const read = await askTrial<ReplyCheckView>(parts, "reply-check", given);
    isAsking.value = false;
    if (read.kind === "ok") answer.value = read.view;
    else if (read.kind === "faulty") faults.value = read.faults;
    else told.value = parts.say.failed;
  }

  return (
    <Panel id="trial-check" title={say.title} hint={say.hint}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <label class="able-field">
          <span>{say.reply}</span>
          <textarea
            rows={3}
            maxLength={20_000}
            value={reply.value}
            onInput={({ currentTarget }) => {
              reply.value = currentTarget.value;
              clear();
            }}
          />
        </label>
        <label class="able-field">
          <span>{say.last}</span>
          <textarea
            rows={2}
            maxLength={4_000}
            value={last.value}
            onInput={({ currentTarget }) => {
              last.value = currentTarget.value;
              clear();
            }}
          />
        </label>
        <button class="btn" type="submit" disabled={isOff}>
          {say.ask}
        </button>
      </form>
      <div role="status">
        {answer.value && <Judged {...answer.value} say={parts.say} />}
        {faults.value.length > 0 && <Faults faults={faults.value} say={parts.say} />}
        {told.value !== "" && <p class="small">{told.value}</p>}
      </div>
    </Panel>
  );
}
