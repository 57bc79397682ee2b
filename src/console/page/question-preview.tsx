import type { PreviewView } from "../views/question-views.ts";
import { Blocks } from "./blocks.tsx";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** The effect of the calls of a question on a copy of the workspace, or why it is not known. */
export function PreviewResult({
  preview,
  time,
  now,
  words: {
    questions: { preview: texts },
  },
}: {
  /** Absent until it is asked for: the region that is read out is there before. */
  readonly preview: PreviewView | undefined;
  readonly time: ShowTime;
  readonly now: number;
  readonly words: PageWords;
}) {
  const ended = preview?.kind === "running" ? undefined : preview;
  const hasFindings = ended?.kind === "ran" || ended?.kind === "refused";
  return (
    <div class={preview && "trial"}>
      <p class="small soft" aria-live="polite">
        {ended ? texts.at(time.short(ended.at, now)) : preview && texts.running}
      </p>
      {hasFindings && <Blocks blocks={ended.blocks} />}
      {ended && ended.kind !== "ran" && <p class="bad small">{texts[ended.kind]}</p>}
    </div>
  );
}
