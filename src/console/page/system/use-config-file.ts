import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type {
  ConfigCheckView,
  ConfigConflictView,
  ConfigFaultView,
  ConfigFileView,
  ConfigRefusalView,
  ConfigSavedView,
} from "../../views/config-views.ts";
import { callServer } from "../call-server.ts";
import { fromField, toField } from "../keep-line-ends.ts";

const checkAfterMs = 300;

export type ConfigState =
  | { readonly kind: "clean" | "unsaved" | "checking" | "sound" | "saving" | "lost" | "signed-out" | "in-force" }
  | { readonly kind: "conflict" | "faulty" }
  | { readonly kind: "waits"; readonly keys: readonly string[] }
  /** Saved; faults elsewhere keep the configuration from coming into force. */
  | { readonly kind: "saved-refused" }
  | { readonly kind: "locked" }
  | { readonly kind: "secret" }
  | { readonly kind: "unwritable"; readonly reason: string };

/** The editor state of a configuration file: its text, the faults that the server found, and whether it is saved. */
export function useConfigFile(file: ConfigFileView, onSaved: () => void) {
  const stored = useSignal({ text: file.text, was: file.was });
  const text = useSignal(toField(file.text));
  const state = useSignal<ConfigState>({ kind: file.faults.length > 0 ? "faulty" : "clean" });
  const faults = useSignal<readonly ConfigFaultView[]>(file.faults);
  const lockedLines = useSignal(file.lockedLines);
  const changedLocked = useSignal<ConfigCheckView["changedLocked"]>([]);
  const conflict = useSignal<ConfigConflictView | undefined>(undefined);
  const isDirty = text.value !== toField(stored.value.text);

  // Another editor's text comes in where nothing of one's own would be lost.
  useEffect(() => {
    if (isDirty || state.value.kind === "saving" || file.was === stored.value.was) return;
    stored.value = { text: file.text, was: file.was };
    text.value = toField(file.text);
    faults.value = file.faults;
    lockedLines.value = file.lockedLines;
    state.value = { kind: file.faults.length > 0 ? "faulty" : "clean" };
  }, [file.was]);

  useEffect(() => {
    if (state.value.kind !== "unsaved" || conflict.value !== undefined) return undefined;
    const timer = setTimeout(() => void check(), checkAfterMs);
    return () => clearTimeout(timer);
  }, [text.value, state.value.kind]);

  async function check(): Promise<void> {
    const asked = text.value;
    state.value = { kind: "checking" };
    const answer = await callServer<ConfigCheckView>("POST", "/config/check", {
      file: file.name,
      text: fromField(asked, stored.value.text),
    });
    if (text.value !== asked || state.value.kind !== "checking") return;
    if (answer.kind !== "ok") return fail(answer);
    faults.value = answer.view.faults;
    lockedLines.value = answer.view.lockedLines;
    changedLocked.value = answer.view.changedLocked;
    if (answer.view.faults.some(({ isHere }) => isHere)) state.value = { kind: "faulty" };
    else state.value = { kind: answer.view.changedLocked.length > 0 ? "locked" : "sound" };
  }

  async function save(): Promise<void> {
    if (state.value.kind === "saving" || !isDirty || file.isMasked) return;
    const sent = fromField(text.value, stored.value.text);
    state.value = { kind: "saving" };
    const body = { text: sent, was: stored.value.was };
    const answer = await callServer<ConfigSavedView>("PUT", `/config/${file.name}`, body);
    if (answer.kind === "ok") {
      stored.value = { text: sent, was: answer.view.was };
      conflict.value = undefined;
      faults.value = answer.view.state === "refused" ? answer.view.faults : [];
      changedLocked.value = [];
      if (answer.view.state === "waits") state.value = { kind: "waits", keys: answer.view.keys };
      else state.value = { kind: answer.view.state === "refused" ? "saved-refused" : "in-force" };
      return onSaved();
    }
    if (answer.kind === "refused" && answer.status === 409) {
      conflict.value = answer.view as ConfigConflictView;
      state.value = { kind: "conflict" };
    } else if (answer.kind === "refused" && answer.status === 422) takeRefusal(answer.view as ConfigRefusalView);
    else fail(answer);
  }

  function takeRefusal(refusal: ConfigRefusalView): void {
    if (refusal.kind === "faults") {
      faults.value = refusal.faults;
      state.value = { kind: "faulty" };
    } else if (refusal.kind === "locked") {
      changedLocked.value = refusal.keys;
      state.value = { kind: "locked" };
    } else state.value = refusal;
  }

  /** The text stays where it is, also when the owner has to sign in again. */
  function fail(answer: { readonly kind: string; readonly status?: number }): void {
    state.value = { kind: answer.status === 401 ? "signed-out" : "lost" };
  }

  function write(next: string): void {
    if (state.value.kind === "saving") return;
    text.value = next;
    const isClean = next === toField(stored.value.text) && faults.value.length === 0;
    if (isClean) changedLocked.value = [];
    state.value = { kind: isClean ? "clean" : "unsaved" };
  }

  /** Goes on from the other's text; with `mine` the own text stays in the field, to be saved over it. */
  function settle(keeps: "mine" | "theirs"): void {
    if (conflict.value === undefined) return;
    const { theirs, was } = conflict.value;
    stored.value = { text: theirs, was };
    conflict.value = undefined;
    write(keeps === "mine" ? text.value : toField(theirs));
  }

  const undo = (): void => write(toField(stored.value.text));

  return { changedLocked, conflict, faults, isDirty, lockedLines, save, settle, state, undo, text, write };
}
