import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TryEstimateView } from "../../../views/trial-views.ts";
import { askTrial, type TrialAnswer } from "./ask-trial.ts";
import type { TrialParts } from "./trial-parts.ts";

/** The estimate waits for this pause in the typing. */
const pauseMs = 400;

/** The size and the price of a try with this text and these drafts; the newest answer counts. */
export function useEstimate(
  parts: Pick<TrialParts, "drafts" | "persona">,
  text: string,
): ReadonlySignal<TrialAnswer<TryEstimateView> | undefined> {
  const { drafts, persona } = parts;
  const estimate = useSignal<TrialAnswer<TryEstimateView> | undefined>(undefined);
  const key = JSON.stringify(drafts);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(
      () =>
        void askTrial<TryEstimateView>({ drafts, persona }, "try/estimate", { text }).then((answer) => {
          if (!isOver) estimate.value = answer;
        }),
      estimate.value === undefined ? 0 : pauseMs,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [persona, key, text]);
  return estimate;
}
