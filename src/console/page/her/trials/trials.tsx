import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CheckReply } from "./check-reply.tsx";
import { ImportCard } from "./import-card.tsx";
import { TestLore } from "./test-lore.tsx";
import type { TrialParts } from "./trial-parts.ts";
import { TrySentence } from "./try-sentence.tsx";
import { useEstimate } from "./use-estimate.ts";

/** Tries a persona out, with its unsaved drafts, and imports new ones from cards. */
export function Trials(given: TrialParts) {
  const { drafts, persona, say, words } = given;
  const parts = { drafts, persona, say, words };
  const text = useSignal("");
  const hasLorebook = useSignal(false);
  const estimate = useEstimate(parts, text.value);
  useEffect(() => {
    if (estimate.value?.kind === "ok") hasLorebook.value = estimate.value.view.hasLorebook;
  }, [estimate.value]);
  return (
    <>
      <h2 class="head trial-title">
        {say.title}
        {Object.keys(drafts).length > 0 && <span class="chip hold">{say.draft}</span>}
      </h2>
      <div class="trials">
        <TrySentence {...parts} text={text} estimate={estimate} />
        <CheckReply {...parts} />
        {hasLorebook.value && <TestLore {...parts} />}
        <ImportCard {...parts} />
      </div>
    </>
  );
}
