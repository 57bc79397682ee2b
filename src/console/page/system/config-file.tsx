import type { ConfigFileView } from "../../views/config-views.ts";
import type { EditorMark } from "../editor.tsx";
import { FileEditor } from "../file-editor.tsx";
import type { PageParts } from "../loaded-page.tsx";
import { useLeaving } from "../use-leaving.ts";
import type { SystemWords } from "../words/system/zh.ts";
import { useConfigFile } from "./use-config-file.ts";

/** One file of the configuration: written, checked while it is, and saved on request. */
export function ConfigFile({
  file,
  onSaved,
  say: { config: say },
}: PageParts<SystemWords> & { readonly file: ConfigFileView; readonly onSaved: () => void }) {
  const { changedLocked, lockedLines, ...edited } = useConfigFile(file, onSaved);
  useLeaving(edited.isDirty, say.leave);

  const marks: readonly EditorMark[] = [
    ...changedLocked.value.map(({ line }): EditorMark => ({ kind: "fault", line, title: say.machineOnly })),
    ...lockedLines.value.map((line): EditorMark => ({ kind: "locked", line, title: say.machineOnly })),
  ];
  return (
    <>
      <FileEditor
        label={`${file.name}.yaml`}
        edited={edited}
        marks={marks}
        isOff={file.isMasked}
        isBlocked={changedLocked.value.length > 0}
        say={say}
        listMore={(go) =>
          changedLocked.value.map(({ key, line }) => (
            <li key={key}>
              <button class="link mono" type="button" onClick={() => go(line, 1)}>
                {say.line(line)}
              </button>{" "}
              <code>{key}</code> {say.machineOnly}
            </li>
          ))
        }
      >
        {file.isMasked && <p class="sys-note">{say.masked}</p>}
      </FileEditor>
      {file.lockedKeys.length > 0 && (
        <details class="config-locked small">
          <summary>{say.lockedKeys(file.lockedKeys.length)}</summary>
          <p class="mono">{file.lockedKeys.join("  ")}</p>
        </details>
      )}
    </>
  );
}
