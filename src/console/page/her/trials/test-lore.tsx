import { useSignal } from "@preact/signals";
import type { LoreRowView, LoreTestView, LoreWhyView } from "../../../views/trial-views.ts";
import { connection } from "../../live.ts";
import { Field } from "./field.tsx";
import { Faults } from "./judged.tsx";
import { Panel } from "./panel.tsx";
import type { TrialParts } from "./trial-parts.ts";
import { useTrial } from "./use-trial.ts";

/** Shows which entries of the lorebook a sentence brings in, and why. */
export function TestLore(parts: TrialParts) {
  const say = parts.say.lore;
  const text = useSignal("");
  const { answer, ask, clear, faults, isAsking, told } = useTrial<LoreTestView>(parts, "lore-test");
  const isOff = isAsking.value || connection.value.kind !== "live";
  const tested = answer.value?.kind === "tested" ? answer.value : undefined;

  return (
    <Panel id="trial-lore" title={say.title} hint={say.hint}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOff) void ask({ text: text.value });
        }}
      >
        <Field
          label={say.text}
          value={text.value}
          onInput={(written) => {
            text.value = written;
            clear();
          }}
        />
        <button class="btn" type="submit" disabled={isOff}>
          {say.ask}
        </button>
      </form>
      <div role="status">
        {tested && (
          <>
            <p class="small">{say.count(tested.come, tested.all)}</p>
            {tested.rows.length === 0 && <p class="small soft">{say.none}</p>}
          </>
        )}
        {answer.value?.kind === "none" && <p class="small soft">{say.none}</p>}
        {faults.value.length > 0 && <Faults faults={faults.value} say={parts.say} />}
        {told.value !== "" && <p class="small">{told.value}</p>}
      </div>
      {tested && tested.rows.length > 0 && (
        <ul class="trial-lore">
          {tested.rows.map((row) => (
            <Row key={row.entry} row={row} say={say} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Row({ row, say }: { readonly row: LoreRowView; readonly say: TrialParts["say"]["lore"] }) {
  const { comes, content, entry, keys, percent, why } = row;
  return (
    <li>
      <span class={`chip ${comes ? "free" : ""}`}>{comes ? say.comes : say.stays}</span>
      <div>
        <b>{say.entry(entry)}</b>{" "}
        <span class="small">
          {describeWhy(why, say)}
          {comes && percent < 100 && say.percent(percent)}
        </span>
        {!("keys" in why) && keys.length > 0 && <div class="small soft">{say.keys(keys)}</div>}
        <div class="small soft">{content}</div>
      </div>
    </li>
  );
}

function describeWhy(why: LoreWhyView, { why: words }: TrialParts["say"]["lore"]): string {
  if ("keys" in why) return words[why.kind](why.keys.join(" · "));
  return words[why.kind];
}
