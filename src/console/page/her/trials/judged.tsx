import type { ReplyCheckView, TrialFault } from "../../../views/trial-views.ts";
import type { TrialsWords } from "../../words/trials/zh.ts";

/** The verdict on a reply, with each reason in words. */
export function Judged({ kinds, say, verdict }: ReplyCheckView & { readonly say: TrialsWords }) {
  return (
    <div class="trial-judged">
      <span class={`chip ${verdict === "ok" ? "free" : "never"}`}>{say.verdicts[verdict]}</span>
      {kinds.length > 0 && (
        <ul>
          {kinds.map((kind) => (
            <li key={kind}>{kind in say.kinds ? say.kinds[kind as keyof typeof say.kinds] : say.otherKind(kind)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The places at which a persona cannot be read. */
export function Faults({ faults, say }: { readonly faults: readonly TrialFault[]; readonly say: TrialsWords }) {
  return (
    <div class="trial-faults small">
      <p>{say.faulty}</p>
      <ul>
        {faults.map(({ file, key, line, problem }) => (
          <li key={`${file} ${line} ${key}`}>{say.fault(file, line, key === "" ? problem : `${key} ${problem}`)}</li>
        ))}
      </ul>
    </div>
  );
}
