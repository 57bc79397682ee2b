import { useSignal } from "@preact/signals";
import type { ConfigCheckView, ConfigFileView, ConfigRefusalView, ConfigSavedView } from "../../views/config-views.ts";
import { callServer } from "../call-server.ts";
import { useStoredFile } from "../use-stored-file.ts";

/** A file of the configuration, of which some keys are changed on the machine only. */
export function useConfigFile(file: ConfigFileView, onSaved: () => void) {
  const lockedLines = useSignal(file.lockedLines);
  const changedLocked = useSignal<ConfigCheckView["changedLocked"]>([]);

  const edited = useStoredFile<ConfigCheckView, ConfigSavedView, ConfigRefusalView>(file, {
    check: (text) => callServer("POST", "/config/check", { file: file.name, text }),
    takeCheck(checked) {
      lockedLines.value = checked.lockedLines;
      changedLocked.value = checked.changedLocked;
      return { faults: checked.faults, ...(checked.changedLocked.length > 0 && { state: { kind: "locked" } }) };
    },
    save: (text, was) => callServer("PUT", `/config/${file.name}`, { text, was }),
    takeSaved(saved) {
      changedLocked.value = [];
      onSaved();
      if (saved.state === "refused") return { state: { kind: "saved-refused" }, faults: saved.faults };
      return {
        state: saved.state === "waits" ? { kind: "waits", keys: saved.keys } : { kind: "in-force" },
        faults: [],
      };
    },
    takeRefusal(refusal) {
      if (refusal.kind === "faults") return { state: { kind: "faulty" }, faults: refusal.faults };
      if (refusal.kind !== "locked") return { state: refusal };
      changedLocked.value = refusal.keys;
      return { state: { kind: "locked" } };
    },
    onClean() {
      changedLocked.value = [];
      lockedLines.value = file.lockedLines;
    },
  });
  return { ...edited, changedLocked, lockedLines };
}
