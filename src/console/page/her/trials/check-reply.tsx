import { useSignal, type Signal } from "@preact/signals";
import type { ReplyCheckView } from "../../../views/trial-views.ts";
import { connection } from "../../live.ts";
import { Field } from "./field.tsx";
import { Faults, Judged } from "./judged.tsx";
import { Panel } from "./panel.tsx";
import type { TrialParts } from "./trial-parts.ts";
import { useTrial } from "./use-trial.ts";

/** Holds a reply against the persona. No model is asked. */
export function CheckReply(parts: TrialParts) {
  const say = parts.say.check;
  const reply = useSignal("");
  const last = useSignal("");
  const { answer, ask, clear, faults, isAsking, told } = useTrial<ReplyCheckView>(parts, "reply-check");
  const isOff = isAsking.value || reply.value.trim() === "" || connection.value.kind !== "live";
  const write = (into: Signal<string>) => (text: string) => {
    into.value = text;
    clear();
  };

  return (
    <Panel id="trial-check" title={say.title} hint={say.hint}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOff) void ask({ reply: reply.value, ...(last.value !== "" && { last: last.value }) });
        }}
      >
        <Field label={say.reply} rows={3} maxLength={20_000} value={reply.value} onInput={write(reply)} />
        <Field label={say.last} value={last.value} onInput={write(last)} />
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
