import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { listChangedLines } from "./changed-lines.ts";
import { Editor, goToPlace, type EditorMark } from "./editor.tsx";
import { toField } from "./keep-line-ends.ts";
import { connection } from "./live.ts";
import type { EditedFile, FileFault, FileState } from "./use-stored-file.ts";
import type { EditorWords } from "./words/editor/zh.ts";

/** Puts the cursor at a place of the text. */
type GoTo = (line: number, column: number) => void;

/** A text file: written, checked while it is, and saved on request. */
export function FileEditor({
  children,
  edited,
  isBlocked,
  isOff,
  label,
  listMore,
  marks,
  say,
}: {
  readonly label: string;
  readonly edited: EditedFile;
  /** It cannot be written at all. */
  readonly isOff: boolean;
  /** There is a reason besides faults why it cannot be saved now. */
  readonly isBlocked: boolean;
  /** Marks in addition to those of faults and changes. */
  readonly marks: readonly EditorMark[];
  /** Further lines below the faults. */
  readonly listMore?: (go: GoTo) => ComponentChildren;
  readonly say: EditorWords;
  /** Shown above the field. */
  readonly children?: ComponentChildren;
}) {
  const { conflict, faults, isDirty, save, settle, state, stored, text, undo, write } = edited;
  const field = useRef<HTMLTextAreaElement>(null);
  const isSaving = state.value.kind === "saving";
  const hasFault = faults.value.some(({ isHere }) => isHere);
  const mayStore = !isSaving && isDirty && !isOff && !isBlocked && conflict.value === undefined && !hasFault;
  const maySave = mayStore && connection.value.kind === "live";
  const go: GoTo = (line, column) => goToPlace(field.current, line, column);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (maySave) void save();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  const changed = isDirty ? listChangedLines(toField(stored.value.text), text.value) : [];
  const all: readonly EditorMark[] = [
    ...faults.value.flatMap(({ isHere, place, text: title }): readonly EditorMark[] =>
      isHere && place ? [{ kind: "fault", line: place.line, title }] : [],
    ),
    ...marks,
    ...changed.map((line): EditorMark => ({ kind: "changed", line, title: say.changed })),
  ];

  return (
    <section aria-label={label}>
      {children}
      <Editor
        label={label}
        text={text.value}
        marks={all}
        isOff={isSaving || isOff}
        field={field}
        describedBy="file-faults"
        onInput={write}
      />
      <div class="sys-acts config-acts">
        <button class="btn yes" type="button" disabled={!maySave} onClick={() => void save()}>
          {say.save}
        </button>
        <button
          class="btn"
          type="button"
          disabled={!isDirty || isSaving}
          onClick={() => confirm(say.sureBack) && undo()}
        >
          {say.back}
        </button>
        <span role="status" class={`small ${toneOf(state.value)}`}>
          {describeState(state.value, isDirty, say)}
        </span>
      </div>
      <ul id="file-faults" class="config-faults">
        {faults.value.map((fault) => (
          <Fault
            key={`${fault.place?.file}:${fault.place?.line}:${fault.place?.column}:${fault.text}`}
            fault={fault}
            go={go}
          />
        ))}
        {listMore?.(go)}
      </ul>
      {conflict.value !== undefined && (
        <Conflict theirs={toField(conflict.value.theirs)} mine={text.value} onSettle={settle} say={say} />
      )}
    </section>
  );
}

function Fault({ fault: { isHere, place, text }, go }: { readonly fault: FileFault; readonly go: GoTo }) {
  const where = place && `${place.file}:${place.line}:${place.column}`;
  return (
    <li>
      {isHere && place ? (
        <button class="link mono" type="button" onClick={() => go(place.line, place.column)}>
          {where}
        </button>
      ) : (
        <span class="mono">{where}</span>
      )}{" "}
      <span lang="en">{text}</span>
    </li>
  );
}

function Conflict({
  mine,
  onSettle,
  say,
  theirs,
}: {
  readonly mine: string;
  readonly theirs: string;
  readonly say: EditorWords;
  readonly onSettle: (keeps: "mine" | "theirs") => void;
}) {
  const texts = [
    { title: say.theirs, text: theirs, other: mine },
    { title: say.mine, text: mine, other: theirs },
  ];
  return (
    <section class="sheet side config-conflict" aria-labelledby="conflict">
      <h2 class="head" id="conflict">
        {say.conflict}
      </h2>
      <div class="config-both">
        {texts.map(({ other, text, title }) => (
          <div key={title}>
            <h3>{title}</h3>
            <pre tabIndex={0} aria-label={title}>
              {markDifferent(text, other)}
            </pre>
          </div>
        ))}
      </div>
      <div class="sys-acts">
        <button class="btn" type="button" onClick={() => onSettle("mine")}>
          {say.keepMine}
        </button>
        <button class="btn no" type="button" onClick={() => onSettle("theirs")}>
          {say.takeTheirs}
        </button>
      </div>
    </section>
  );
}

/** Lines that the other text does not have. */
function markDifferent(text: string, other: string) {
  const known = new Set(other.split("\n"));
  return text.split("\n").map((line, index) => {
    const shown = `${line}\n`;
    return known.has(line) ? shown : <mark key={index}>{shown}</mark>;
  });
}

function toneOf({ kind }: FileState): string {
  if (kind === "in-force") return "config-good";
  if (kind === "waits") return "config-wait";
  return ["clean", "unsaved", "checking", "sound", "saving"].includes(kind) ? "soft" : "config-bad";
}

function describeState(state: FileState, isDirty: boolean, say: EditorWords): string {
  if (state.kind === "waits") return say.waits(state.keys.map((key) => key.replace(/^.*: /, "")));
  if (state.kind === "unwritable") return say.unwritable(state.reason);
  if (state.kind === "conflict") return say.conflict;
  if (state.kind === "clean" || (state.kind === "sound" && !isDirty)) return "";
  return say.states[state.kind];
}
