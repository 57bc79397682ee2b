import { useEffect, useRef } from "preact/hooks";
import type { ConfigFaultView, ConfigFileView } from "../../views/config-views.ts";
import { Editor, goToPlace, type EditorMark } from "../editor.tsx";
import { toField } from "../keep-line-ends.ts";
import { connection } from "../live.ts";
import type { PageParts } from "../loaded-page.tsx";
import { guardLeaving } from "../router.ts";
import type { SystemWords } from "../words/system/zh.ts";
import { useConfigFile, type ConfigState } from "./use-config-file.ts";

type Say = SystemWords["config"];

/** One file of the configuration: written, checked while it is, and saved on request. */
export function ConfigFile({
  file,
  onSaved,
  say: { config: say },
}: PageParts<SystemWords> & { readonly file: ConfigFileView; readonly onSaved: () => void }) {
  const edited = useConfigFile(file, onSaved);
  const { changedLocked, conflict, faults, isDirty, lockedLines, save, settle, state, text, write } = edited;
  const field = useRef<HTMLTextAreaElement>(null);
  const isSaving = state.value.kind === "saving";
  const hasFault = faults.value.some(({ isHere }) => isHere);
  const mayStore = !isSaving && isDirty && !file.isMasked && conflict.value === undefined && !hasFault;
  const maySave = mayStore && changedLocked.value.length === 0 && connection.value.kind === "live";

  useLeaving(isDirty, say.leave);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (maySave) void save();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  const marks: readonly EditorMark[] = [
    ...faults.value.flatMap(({ isHere, place, text: title }): readonly EditorMark[] =>
      isHere && place ? [{ kind: "fault", line: place.line, title }] : [],
    ),
    ...changedLocked.value.map(({ line }): EditorMark => ({ kind: "fault", line, title: say.machineOnly })),
    ...lockedLines.value.map((line): EditorMark => ({ kind: "locked", line, title: say.machineOnly })),
  ];

  return (
    <section aria-label={`${file.name}.yaml`}>
      {file.isMasked && <p class="sys-note">{say.masked}</p>}
      <Editor
        label={`${file.name}.yaml`}
        text={text.value}
        marks={marks}
        isOff={isSaving || file.isMasked}
        field={field}
        describedBy="config-faults"
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
          onClick={() => confirm(say.sureBack) && edited.undo()}
        >
          {say.back}
        </button>
        <span role="status" class={`small ${toneOf(state.value)}`}>
          {describeState(state.value, isDirty, say)}
        </span>
      </div>
      <ul id="config-faults" class="config-faults">
        {faults.value.map((fault) => (
          <Fault key={`${fault.place?.file}:${fault.place?.line}:${fault.text}`} fault={fault} field={field} />
        ))}
        {changedLocked.value.map(({ key, line }) => (
          <li key={key}>
            <button class="link mono" type="button" onClick={() => goToPlace(field.current, line, 1)}>
              {say.line(line)}
            </button>{" "}
            <code>{key}</code> {say.machineOnly}
          </li>
        ))}
      </ul>
      {conflict.value !== undefined && (
        <Conflict theirs={toField(conflict.value.theirs)} mine={text.value} onSettle={settle} say={say} />
      )}
      {file.lockedKeys.length > 0 && (
        <details class="config-locked small">
          <summary>{say.lockedKeys(file.lockedKeys.length)}</summary>
          <p class="mono">{file.lockedKeys.join("  ")}</p>
        </details>
      )}
    </section>
  );
}

/** Asks before unsaved text is lost. */
function useLeaving(isDirty: boolean, question: string): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const onClose = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", onClose);
    const end = guardLeaving(() => confirm(question));
    return () => {
      removeEventListener("beforeunload", onClose);
      end();
    };
  }, [isDirty, question]);
}

function Fault({
  fault: { isHere, place, text },
  field,
}: {
  readonly fault: ConfigFaultView;
  readonly field: { readonly current: HTMLTextAreaElement | null };
}) {
  const where = place && `${place.file}:${place.line}:${place.column}`;
  return (
    <li>
      {isHere && place ? (
        <button class="link mono" type="button" onClick={() => goToPlace(field.current, place.line, place.column)}>
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
  readonly say: Say;
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

function toneOf({ kind }: ConfigState): string {
  if (kind === "in-force") return "config-good";
  if (kind === "waits") return "config-wait";
  return ["clean", "unsaved", "checking", "sound", "saving"].includes(kind) ? "soft" : "config-bad";
}

function describeState(state: ConfigState, isDirty: boolean, say: Say): string {
  if (state.kind === "waits") return say.waits(state.keys.map((key) => key.replace(/^.*: /, "")));
  if (state.kind === "unwritable") return say.unwritable(state.reason);
  if (state.kind === "conflict") return say.conflict;
  if (state.kind === "clean" || (state.kind === "sound" && !isDirty)) return "";
  return say.states[state.kind];
}
