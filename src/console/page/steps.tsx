import { useSignal } from "@preact/signals";
import type { CallView, StepView } from "../views/chats-views.ts";
import { callServer } from "./call-server.ts";
import type { PageWords } from "./words/zh.ts";

/** The calls of one message, on a line; a click opens a call. */
export function Steps({
  steps,
  path,
  words,
}: {
  readonly steps: readonly StepView[];
  /** The path of the message. */
  readonly path: `/${string}`;
  readonly words: PageWords;
}) {
  return (
    <ol class="steps">
      {steps.map((step) => (
        <Step key={step.call} step={step} path={path} words={words} />
      ))}
    </ol>
  );
}

function Step({
  step,
  path,
  words,
}: {
  readonly step: StepView;
  readonly path: `/${string}`;
  readonly words: PageWords;
}) {
  const say = words.chats;
  const read = useSignal<CallView | "lost" | undefined>(undefined);
  const isOpen = useSignal(false);
  const chip = chooseChip(step);

  async function open(): Promise<void> {
    isOpen.value = !isOpen.value;
    if (!isOpen.value || (read.value !== undefined && read.value !== "lost")) return;
    const answer = await callServer<CallView>("GET", `${path}/calls/${encodeURIComponent(step.call)}`);
    read.value = answer.kind === "ok" ? answer.view : "lost";
  }

  const shown = read.value;
  return (
    <li class={step.state}>
      <button type="button" class="step" aria-expanded={isOpen.value} onClick={() => void open()}>
        <b>{step.tool}</b>
        {step.argument !== "" && <span class="arg mono">{step.argument.replace(/^https:\/\//, "")}</span>}
        {chip !== undefined && <span class={`chip ${chip}`}>{say.verdicts[chip]}</span>}
        {step.state === "failed" && chip !== "never" && <span class="soft">{say.failed}</span>}
        {step.ms !== undefined && <span class="ms">{showDuration(step.ms)}</span>}
      </button>
      {isOpen.value && (
        <div class="opened">
          {shown === undefined && <p class="soft small">{words.loading}</p>}
          {shown === "lost" && <p class="fault">{words.lost}</p>}
          {shown !== undefined && shown !== "lost" && (
            <>
              <p class="label">{say.given(shown.tool)}</p>
              <pre class="cmd" tabIndex={0}>
                {shown.arguments}
              </pre>
              {shown.result !== undefined && (
                <>
                  <p class="label">{say.result}</p>
                  <pre class="cmd" tabIndex={0}>
                    {shown.result}
                  </pre>
                </>
              )}
              {shown.isCut && <p class="soft small">{say.cut}</p>}
            </>
          )}
        </div>
      )}
    </li>
  );
}

function chooseChip({ answer, verdict }: StepView): "free" | "hold" | "asked" | "never" | undefined {
  if (answer === "rejected" || verdict === "deny") return "never";
  if (answer === "approved") return "asked";
  if (verdict === "ask") return "hold";
  return verdict === "allow" ? "free" : undefined;
}

function showDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
