import { useSignal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { TriedView, TryEstimateView } from "../../../views/trial-views.ts";
import { connection } from "../../live.ts";
import { createShowAmount } from "../../show-amount.ts";
import { askTrial, type TrialAnswer } from "./ask-trial.ts";
import { Field } from "./field.tsx";
import { Faults } from "./judged.tsx";
import { Panel } from "./panel.tsx";
import type { TrialParts } from "./trial-parts.ts";
import { TriedReply } from "./tried-reply.tsx";

/** Has the model answer one sentence as this persona. */
export function TrySentence({
  estimate,
  text,
  ...parts
}: TrialParts & {
  readonly text: Signal<string>;
  readonly estimate: ReadonlySignal<TrialAnswer<TryEstimateView> | undefined>;
}) {
  const say = parts.say.try;
  const isAsking = useSignal(false);
  const told = useSignal("");
  const answer = useSignal<TriedView | undefined>(undefined);
  const size = estimate.value?.kind === "ok" ? estimate.value.view : undefined;
  const isOff =
    isAsking.value ||
    text.value.trim() === "" ||
    size === undefined ||
    size.isOffline ||
    connection.value.kind !== "live";

  async function ask(): Promise<void> {
    if (isOff) return;
    told.value = "";
    answer.value = undefined;
    isAsking.value = true;
    const read = await askTrial<TriedView>(parts, "try", { text: text.value });
    isAsking.value = false;
    if (read.kind === "ok") answer.value = read.view;
    else told.value = read.kind === "refused" ? describeRefusal(read) : parts.say.failed;
  }

  function describeRefusal({ code, message }: { readonly code: string; readonly message: string }): string {
    if (!(code in say.refused)) return parts.say.failed;
    const words = say.refused[code as keyof typeof say.refused];
    return code === "no-answer" ? `${words}${message}` : words;
  }

  return (
    <Panel id="trial-try" title={say.title} hint={say.hint}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <Field label={say.text} value={text.value} onInput={(written) => (text.value = written)} />
        <div class="trial-acts">
          <button class="btn yes" type="submit" disabled={isOff}>
            {isAsking.value ? say.asking : say.ask}
          </button>
          <span class="small soft">{size && (size.isOffline ? say.offline : describeCost(size, parts))}</span>
        </div>
      </form>
      {estimate.value?.kind === "faulty" && <Faults faults={estimate.value.faults} say={parts.say} />}
      <div role="status">
        {told.value !== "" && <p class="small">{told.value}</p>}
        {answer.value && <TriedReply tried={answer.value} say={parts.say} words={parts.words} />}
      </div>
    </Panel>
  );
}

function describeCost({ cost, input, output }: TryEstimateView, { say, words }: TrialParts): string {
  const show = createShowAmount(words.tag);
  return say.try.cost(show.tokens(input + output), cost === undefined ? "" : say.try.price(show.money(cost)));
}
