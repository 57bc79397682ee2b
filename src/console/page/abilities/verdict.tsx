import type { WhyReason, WhyView } from "../../views/abilities-views.ts";
import { CheckIcon, CrossIcon } from "../icons.tsx";
import type { AbilityWords } from "../words/abilities/zh.ts";
import type { AbilityParts } from "./ability-parts.ts";
import { shortPlace } from "./short-place.ts";

const chips = { allow: "free", ask: "hold", deny: "never" } as const;

/** The fate of the call, the reasons, and every rule that was looked at. */
export function Verdict({ answer, say: { tools, why } }: AbilityParts & { readonly answer: WhyView }) {
  const { considered, decided, verdict } = answer;
  return (
    <div class="able-verdict">
      <p class="big">
        <span class={`chip ${chips[verdict]}`}>{why.verdicts[verdict]}</span>
        {summarize(answer, why)}
      </p>
      <ul class="because">
        {listReasons(answer, { tools, why }).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {verdict === "deny" && <li lang="en">{answer.why}</li>}
      </ul>
      {considered.length > 0 && (
        <ol class="able-rules" aria-label={why.rules}>
          {considered.map(({ fits, key, level, place, tool }) => (
            <li key={key} class={place !== undefined && place === decided.place ? "hit" : undefined}>
              {fits === "yes" ? <CheckIcon /> : fits === "no" ? <CrossIcon /> : <span aria-hidden="true">?</span>}
              <code class="mono">{tool}</code>
              <span>
                {why.fits[fits]} → {tools.levels[level]}
                <i class="sep" />
                <span class="mono">{place === undefined ? key : shortPlace(place)}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {answer.live && <p class="soft able-foot">{why.live}</p>}
    </div>
  );
}

function summarize({ terms, verdict }: WhyView, why: AbilityWords["why"]): string {
  if (verdict !== "ask" || terms === undefined) return verdict === "allow" ? why.allowed : why.denied;
  const named = terms.approvers?.map((one) => (one === "owner" || one === "trusted" ? why.roles[one] : one));
  return why.needs(named?.join(why.or) ?? (terms.askerMayApprove ? why.asker : why.owner), terms.votes);
}

function listReasons(
  { because = [], decided, level, terms, verdict }: WhyView,
  { tools, why }: Pick<AbilityWords, "tools" | "why">,
): readonly string[] {
  const isByGrant = verdict === "allow" && level === "confirm" && decided.by === "rules";
  const words: Readonly<Record<string, string>> = why.decided;
  const end = words[decided.by];
  return [
    decided.rule === "exclude"
      ? why.excluded
      : decided.place === undefined
        ? why.byDefault(tools.levels[level])
        : why.byPlace(shortPlace(decided.place), tools.levels[level]),
    ...(end === undefined ? [] : [end]),
    ...(isByGrant ? [why.grant] : []),
    ...because.flatMap((reason) => describeReason(reason, why)),
    ...(terms?.ask === "owner" ? [why.inPrivate] : []),
    ...(terms?.approvers !== undefined && !terms.askerMayApprove ? [why.notAsker] : []),
  ];
}

function describeReason(reason: WhyReason, { because }: AbilityWords["why"]): readonly string[] {
  switch (reason.kind) {
    case "level":
      return [];
    case "taint":
      return [because.taint(reason.sources.join(", "))];
    case "address":
    case "network":
      return [because[reason.kind](reason.hosts.join(", "))];
    case "grant":
      return [because.grant(reason.code)];
  }
}
