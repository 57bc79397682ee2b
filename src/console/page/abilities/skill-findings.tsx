import type { SkillFindingView } from "../../views/skills-views.ts";

/** The findings of the checks, word for word; ✗ = known from bad skills. */
export function SkillFindings({ findings }: { readonly findings: readonly SkillFindingView[] }) {
  return (
    <ul class="able-findings" lang="en">
      {findings.map(({ blocks, place, shown, what }) => (
        <li key={`${place} ${what} ${shown}`} class={blocks ? "bad" : ""}>
          <span>
            {blocks ? "✗" : "!"} {place} {what}
          </span>
          <code class="mono">{shown}</code>
        </li>
      ))}
    </ul>
  );
}
