import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ServerAnswer } from "./call-server.ts";
import { fromField, toField } from "./keep-line-ends.ts";

const checkAfterMs = 300;

export interface FileFault {
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
  /** It is in the text that is edited. */
  readonly isHere: boolean;
  readonly text: string;
}

/** A text file as the server has it. */
interface StoredFile {
  readonly text: string;
  /** The hash of the stored file. */
  readonly was: string;
  readonly isMasked: boolean;
  readonly faults: readonly FileFault[];
}

/** The text that the owner wrote, and the stored text that it began from. */
export interface FileDraft {
  readonly text: string;
  readonly stored: { readonly text: string; readonly was: string };
}

export type FileState =
  | { readonly kind: "clean" | "unsaved" | "checking" | "sound" | "saving" | "lost" | "signed-out" | "in-force" }
  | { readonly kind: "conflict" | "faulty" }
  | { readonly kind: "waits"; readonly keys: readonly string[] }
  /** Saved; faults elsewhere keep the configuration from coming into force. */
  | { readonly kind: "saved-refused" }
  | { readonly kind: "locked" }
  | { readonly kind: "secret" }
  | { readonly kind: "unwritable"; readonly reason: string };

interface Judged {
  readonly state: FileState;
  readonly faults: readonly FileFault[];
}

/** The way to the server and back. A state says more than that there are faults. */
interface FileWay<Checked, Saved extends { readonly was: string }, Refusal> {
  readonly check: (text: string) => Promise<ServerAnswer<Checked>>;
  readonly takeCheck: (checked: Checked) => { readonly faults: readonly FileFault[]; readonly state?: FileState };
  readonly save: (text: string, was: string) => Promise<ServerAnswer<Saved>>;
  readonly takeSaved: (saved: Saved) => Judged;
  readonly takeRefusal: (refusal: Refusal) => { readonly faults?: readonly FileFault[]; readonly state: FileState };
  /** The text is the stored one again. */
  readonly onClean: () => void;
  /** The draft that another place keeps while the file is not shown. */
  readonly draft?: {
    readonly first: FileDraft | undefined;
    readonly keep: (draft: FileDraft | undefined) => void;
  };
}

interface Conflict {
  readonly theirs: string;
  readonly was: string;
}

/** The editor state of a file: its text, the faults that the server found, and whether it is saved. */
export function useStoredFile<Checked, Saved extends { readonly was: string }, Refusal>(
  file: StoredFile,
  way: FileWay<Checked, Saved, Refusal>,
) {
  const first = way.draft?.first;
  const stored = useSignal(first?.stored ?? { text: file.text, was: file.was });
  const text = useSignal(first?.text ?? toField(file.text));
  const state = useSignal<FileState>(first === undefined ? beginState(file) : { kind: "unsaved" });
  const faults = useSignal<readonly FileFault[]>(file.faults);
  const conflict = useSignal<Conflict | undefined>(undefined);
  const isChanged = (): boolean => text.value !== toField(stored.value.text);
  const isDirty = isChanged();

  /** Both at once, so that a draft never goes with a stored text that it did not begin from. */
  function put(next: string, from = stored.value): void {
    stored.value = from;
    text.value = next;
    way.draft?.keep(isChanged() ? { text: next, stored: from } : undefined);
  }

  // Takes over a text that was saved elsewhere, unless that would lose unsaved words.
  useEffect(() => {
    if (isDirty || state.value.kind === "saving" || file.was === stored.value.was) return;
    put(toField(file.text), { text: file.text, was: file.was });
    faults.value = file.faults;
    state.value = beginState(file);
    way.onClean();
  }, [file.was]);

  useEffect(() => {
    if (state.value.kind !== "unsaved" || conflict.value !== undefined) return undefined;
    const timer = setTimeout(() => void check(), checkAfterMs);
    return () => clearTimeout(timer);
  }, [text.value, state.value.kind]);

  async function check(): Promise<void> {
    const asked = text.value;
    state.value = { kind: "checking" };
    const answer = await way.check(fromField(asked, stored.value.text));
    if (text.value !== asked || state.value.kind !== "checking") return;
    if (answer.kind !== "ok") return fail(answer);
    const found = way.takeCheck(answer.view);
    faults.value = found.faults;
    const isFaulty = found.faults.some(({ isHere }) => isHere);
    state.value = isFaulty ? { kind: "faulty" } : (found.state ?? { kind: "sound" });
  }

  async function save(): Promise<void> {
    if (state.value.kind === "saving" || !isChanged() || file.isMasked) return;
    const sent = fromField(text.value, stored.value.text);
    state.value = { kind: "saving" };
    const answer = await way.save(sent, stored.value.was);
    if (answer.kind === "ok") {
      put(text.value, { text: sent, was: answer.view.was });
      conflict.value = undefined;
      const judged = way.takeSaved(answer.view);
      faults.value = judged.faults;
      state.value = judged.state;
    } else if (answer.kind === "refused" && answer.status === 409) {
      conflict.value = answer.view as Conflict;
      state.value = { kind: "conflict" };
    } else if (answer.kind === "refused" && answer.status === 422) {
      const refusal = way.takeRefusal(answer.view as Refusal);
      faults.value = refusal.faults ?? faults.value;
      state.value = refusal.state;
    } else fail(answer);
  }

  /** The text stays where it is, also when the owner has to sign in again. */
  function fail(answer: { readonly kind: string; readonly status?: number }): void {
    state.value = { kind: answer.status === 401 ? "signed-out" : "lost" };
  }

  function write(next: string): void {
    if (state.value.kind === "saving") return;
    put(next);
    const isClean = !isChanged() && faults.value.length === 0;
    if (isClean) way.onClean();
    state.value = { kind: isClean ? "clean" : "unsaved" };
  }

  /** Goes on from the other's text; with `mine` the own text stays in the field, to be saved over it. */
  function settle(keeps: "mine" | "theirs"): void {
    if (conflict.value === undefined) return;
    const { theirs, was } = conflict.value;
    put(text.value, { text: theirs, was });
    conflict.value = undefined;
    write(keeps === "mine" ? text.value : toField(theirs));
  }

  const undo = (): void => write(toField(stored.value.text));

  return { conflict, faults, isDirty, save, settle, state, stored, text, undo, write };
}

export type EditedFile = ReturnType<typeof useStoredFile>;

const beginState = ({ faults }: StoredFile): FileState => ({
  kind: faults.some(({ isHere }) => isHere) ? "faulty" : "clean",
});
