import { useSignal } from "@preact/signals";
import type { TodayView } from "../views/today-views.ts";
import type { PageWords } from "./words/zh.ts";

const closed = "kurisu_setup_closed";

/** The parts that a new installation still lacks, each with the step that adds it. */
export function SetupList({ today: { setup, well }, words }: { readonly today: TodayView; readonly words: PageWords }) {
  const isClosed = useSignal(sessionStorage.getItem(closed) === "1");
  if (setup === undefined || isClosed.value) return null;
  const say = words.setup;
  const part = (name: string) => well.parts.find((one) => one.name === name);
  const platforms = ["telegram", "qq", "qqbot"].filter((name) => part(name)?.state !== "off" && part(name));
  const sandbox = part("sandbox");
  return (
    <section class="setup" aria-labelledby="setup">
      <div class="head">
        <h2 id="setup">{say.title}</h2>
        <button
          class="link small"
          type="button"
          onClick={() => {
            sessionStorage.setItem(closed, "1");
            isClosed.value = true;
          }}
        >
          {say.close}
        </button>
      </div>
      <ul class="sheet">
        <Line isDone={!setup.isOffline} title={say.model} text={setup.isOffline ? say.modelHow : say.modelDone}>
          {setup.isOffline && <pre class="cmd">OPENAI_API_KEY=sk-…</pre>}
        </Line>
        <Line
          isDone={setup.ownerCode === undefined}
          title={say.owner}
          text={setup.ownerCode === undefined ? say.ownerDone : say.ownerHow}
        >
          {setup.ownerCode !== undefined && <pre class="cmd">{setup.ownerCode}</pre>}
        </Line>
        <Line
          isDone={sandbox?.state === "ready"}
          title={words.parts.sandbox}
          text={sandbox?.state === "ready" ? sandbox.detail : say.sandboxHow}
        />
        <Line
          isDone={platforms.length > 0}
          title="Telegram, QQ"
          text={platforms.length > 0 ? say.platformsDone : say.platformsHow}
        />
      </ul>
    </section>
  );
}

function Line({
  isDone,
  title,
  text,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly children?: preact.ComponentChildren;
}) {
  return (
    <li>
      <span class={`dot ${isDone ? "ready" : "degraded"}`} />
      <b>{title}</b>
      <p class="small soft">{text}</p>
      {children}
    </li>
  );
}
