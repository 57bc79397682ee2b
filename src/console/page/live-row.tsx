import type { LiveEvent, LiveStep } from "../views/stream-views.ts";
import { Blocks } from "./blocks.tsx";
import { showDuration } from "./show-duration.ts";
import type { PageWords } from "./words/zh.ts";

/** The turn that runs at this moment, in the shape of the message that it becomes. */
export function LiveRow({
  view,
  isStored,
  words,
  her,
}: {
  readonly view: LiveEvent & { readonly isOver: boolean };
  /** Whether a message above has the call already. */
  readonly isStored: (call: string) => boolean;
  readonly words: PageWords;
  readonly her: string;
}) {
  const say = words.chats;
  const steps = view.steps.filter(({ call }) => !isStored(call));
  const isSpeaking = view.blocks.length > 0;
  return (
    <div class="row atwork">
      {steps.length > 0 && (
        <ol class="steps">
          {steps.map((step) => (
            <Step key={step.call} step={step} words={words} />
          ))}
        </ol>
      )}
      <div class="said">
        <span class="by">
          <b>{her}</b>
          {!view.isOver && (isSpeaking ? say.speaking : say.thinking)}
        </span>
        {isSpeaking ? <Blocks blocks={view.blocks} /> : <p class="blocks" />}
      </div>
    </div>
  );
}

function Step({ step, words }: { readonly step: LiveStep; readonly words: PageWords }) {
  const { agent, argument, ms, note, state, tool } = step;
  const say = words.chats;
  const isOpen = state === "open" || state === "writing";
  return (
    <li class={isOpen ? "open" : state}>
      <span class="step">
        {agent !== undefined && <span class="chip">{agent}</span>}
        <b>{tool}</b>
        {argument !== "" && <span class="arg mono">{argument.replace(/^https:\/\//, "")}</span>}
        {note !== undefined && isOpen && <span class="soft">{note}</span>}
        {state === "failed" && <span class="soft">{say.failed}</span>}
        <span class="ms">{isOpen ? say.doing[state] : ms === undefined ? "" : showDuration(ms)}</span>
      </span>
    </li>
  );
}
