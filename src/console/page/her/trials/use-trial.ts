import { useSignal } from "@preact/signals";
import type { TrialFault } from "../../../views/trial-views.ts";
import { askTrial } from "./ask-trial.ts";
import type { TrialParts } from "./trial-parts.ts";

/** One request to a trial route, and its answer until the caller clears it. */
export function useTrial<View>(parts: TrialParts, path: string) {
  const isAsking = useSignal(false);
  const answer = useSignal<View | undefined>(undefined);
  const faults = useSignal<readonly TrialFault[]>([]);
  const told = useSignal("");

  function clear(): void {
    answer.value = undefined;
    faults.value = [];
    told.value = "";
  }

  async function ask(given: object): Promise<void> {
    if (isAsking.value) return;
    clear();
    isAsking.value = true;
    const read = await askTrial<View>(parts, path, given);
    isAsking.value = false;
    if (read.kind === "ok") answer.value = read.view;
    else if (read.kind === "faulty") faults.value = read.faults;
    else told.value = parts.say.failed;
  }

  return { answer, ask, clear, faults, isAsking, told };
}
