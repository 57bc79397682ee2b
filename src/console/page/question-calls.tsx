import { useSignal } from "@preact/signals";
import type { AskedCallView, DiffView } from "../views/question-views.ts";
import type { PageWords } from "./words/zh.ts";

const firstLines = 5;

/** All that a call would do, the first lines at once. */
export function CallEffect({ call, words }: { readonly call: AskedCallView; readonly words: PageWords }) {
  if (call.diff !== undefined) return <Diff diff={call.diff} words={words} />;
  if (call.detail === "" || call.detail === call.summary) return null;
  return <Lines lines={call.detail.split("\n")} words={words} />;
}

function Diff({ diff: { file, lines, note }, words }: { readonly diff: DiffView; readonly words: PageWords }) {
  const isOpen = useSignal(false);
  const shown = isOpen.value ? lines : lines.slice(0, firstLines);
  return (
    <div class="diff">
      <div class="name">
        <b>{file}</b>
        <span>{note}</span>
      </div>
      {shown.map(({ sign, text }, index) => (
        <div key={index} class={`l ${kinds[sign]}`}>
          <span>{index + 1}</span>
          <span>{sign === "@" ? "" : sign}</span>
          <span>{text}</span>
        </div>
      ))}
      <Fold left={lines.length - shown.length} words={words} onOpen={() => (isOpen.value = true)} />
    </div>
  );
}

const kinds = { "+": "a", "-": "d", " ": "", "@": "at" } as const;

function Lines({ lines, words }: { readonly lines: readonly string[]; readonly words: PageWords }) {
  const isOpen = useSignal(false);
  const shown = isOpen.value ? lines : lines.slice(0, firstLines);
  return (
    <div class="diff plain">
      <pre>{shown.join("\n")}</pre>
      <Fold left={lines.length - shown.length} words={words} onOpen={() => (isOpen.value = true)} />
    </div>
  );
}

function Fold({
  left,
  words,
  onOpen,
}: {
  readonly left: number;
  readonly words: PageWords;
  readonly onOpen: () => void;
}) {
  if (left <= 0) return null;
  return (
    <button class="fold" type="button" onClick={onOpen}>
      {words.questions.unfold(left)}
    </button>
  );
}
