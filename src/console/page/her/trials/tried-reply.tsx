import type { TriedView } from "../../../views/trial-views.ts";
import { createShowAmount } from "../../show-amount.ts";
import { showDuration } from "../../show-duration.ts";
import { Judged } from "./judged.tsx";
import type { TrialParts } from "./trial-parts.ts";

/** The reply as a chat would get it, and how it came about. */
export function TriedReply({
  say: all,
  tried,
  words,
}: Pick<TrialParts, "say" | "words"> & { readonly tried: TriedView }) {
  const say = all.try;
  const show = createShowAmount(words.tag);
  const { cost, draft, enforced, input, isFallback, isSecond, kinds, model, ms, output, reply, verdict } = tried;
  const price = cost === undefined ? "" : say.price(show.money(cost));
  return (
    <figure class="trial-reply">
      <figcaption class="small soft">{say.reply}</figcaption>
      <blockquote>{reply}</blockquote>
      <Judged verdict={verdict} kinds={kinds} say={all} />
      {enforced && (
        <>
          <p class="small">{isFallback ? say.fallback : isSecond ? say.again : say.mended}</p>
          <details>
            <summary class="small">{say.draft}</summary>
            <blockquote>{draft}</blockquote>
          </details>
        </>
      )}
      <p class="small soft">
        <span class="mono">{model}</span>
        <i class="sep" />
        {say.spent(show.tokens(input), show.tokens(output), price, showDuration(ms))}
      </p>
    </figure>
  );
}
