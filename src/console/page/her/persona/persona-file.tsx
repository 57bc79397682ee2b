import type {
  PersonaCheckView,
  PersonaFaultView,
  PersonaFileView,
  PersonaRefusalView,
  PersonaSavedView,
} from "../../../views/persona-views.ts";
import { callServer, type ServerAnswer } from "../../call-server.ts";
import { FileEditor } from "../../file-editor.tsx";
import { useStoredFile, type FileDraft, type FileFault } from "../../use-stored-file.ts";
import type { PersonaWords } from "../../words/persona/zh.ts";

/** One file of a persona. Its draft is kept while another file is shown. */
export function PersonaFile({
  check,
  draft,
  faults,
  file,
  isWritable,
  keep,
  onClean,
  onSaved,
  path,
  say,
}: {
  /** Below /api, of the persona. */
  readonly path: `/${string}`;
  readonly file: PersonaFileView;
  /** The faults of the whole persona as it is stored. */
  readonly faults: readonly PersonaFaultView[];
  readonly isWritable: boolean;
  readonly draft: FileDraft | undefined;
  readonly keep: (draft: FileDraft | undefined) => void;
  /** Checks this text together with the drafts of the other files. */
  readonly check: (text: string) => Promise<ServerAnswer<PersonaCheckView>>;
  readonly onClean: () => void;
  readonly onSaved: (saved: PersonaSavedView) => void;
  readonly say: PersonaWords;
}) {
  const { name } = file;
  const isOff = file.isMasked || !isWritable;
  const place = (all: readonly PersonaFaultView[]): readonly FileFault[] =>
    all.map((fault) => ({ ...fault, isHere: fault.place.file === name }));
  const edited = useStoredFile<PersonaCheckView, PersonaSavedView, PersonaRefusalView>(
    { ...file, faults: place(faults) },
    {
      check,
      takeCheck: (checked) => ({ faults: place(checked.faults) }),
      save: (text, was) => callServer("PUT", `${path}/${name}`, { text, was }),
      takeSaved(saved) {
        onSaved(saved);
        const isInForce = saved.state === "in-force";
        return { state: { kind: isInForce ? "in-force" : "saved-refused" }, faults: place(saved.faults) };
      },
      takeRefusal: (refusal) =>
        refusal.kind === "faults" ? { state: { kind: "faulty" }, faults: place(refusal.faults) } : { state: refusal },
      onClean,
      draft: { first: draft, keep },
    },
  );
  return (
    <FileEditor label={name} edited={edited} marks={[]} isOff={isOff} isBlocked={false} say={say.editor}>
      {file.isMasked && <p class="sys-note">{say.editor.masked}</p>}
    </FileEditor>
  );
}
