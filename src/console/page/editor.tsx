import type { RefObject } from "preact";
import { useRef } from "preact/hooks";

export interface EditorMark {
  readonly kind: "fault" | "locked" | "changed";
  /** Counts from 1. */
  readonly line: number;
  readonly title: string;
}

/** A text field with the numbers of its lines and marks beside them. Lines are not wrapped, so that both fit. */
export function Editor({
  describedBy,
  field,
  isOff,
  label,
  marks,
  onInput,
  text,
}: {
  readonly label: string;
  readonly text: string;
  readonly marks: readonly EditorMark[];
  readonly isOff: boolean;
  readonly onInput: (text: string) => void;
  /** The field itself, to put the cursor somewhere. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** The id of the list of faults. */
  readonly describedBy: string;
}) {
  const gutter = useRef<HTMLDivElement>(null);
  const count = text.split("\n").length;
  const hasFault = marks.some(({ kind }) => kind === "fault");
  const marksOf = Map.groupBy(marks, ({ line }) => line);
  return (
    <div class="editor">
      <div class="editor-lines" ref={gutter} aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <Gutter key={index} line={index + 1} here={marksOf.get(index + 1) ?? []} />
        ))}
      </div>
      <textarea
        ref={field}
        class="mono"
        aria-label={label}
        aria-invalid={hasFault}
        aria-describedby={describedBy}
        value={text}
        readOnly={isOff}
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onScroll={({ currentTarget }) => gutter.current?.scrollTo({ top: currentTarget.scrollTop })}
      />
    </div>
  );
}

function Gutter({ here, line }: { readonly line: number; readonly here: readonly EditorMark[] }) {
  const kind = here.some((mark) => mark.kind === "fault") ? "fault" : here[0]?.kind;
  return (
    <div class={kind && `line-${kind}`} title={here.map(({ title }) => title).join("\n") || undefined}>
      {kind === "locked" && (
        <svg viewBox="0 0 20 20" width="12" height="12">
          <path d="M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3" />
        </svg>
      )}
      {kind === "fault" && "◆"}
      <span>{line}</span>
    </div>
  );
}

/** Puts the cursor at a place of the text, counted from 1, and brings it into view. */
export function goToPlace(field: HTMLTextAreaElement | null, line: number, column: number): void {
  if (field === null) return;
  const lines = field.value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const at = Math.min(before + column - 1, field.value.length);
  field.focus();
  field.setSelectionRange(at, at);
  field.scrollTop = Math.max(0, (field.scrollHeight * (line - 4)) / Math.max(1, lines.length));
}
