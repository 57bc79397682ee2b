import { useSignal } from "@preact/signals";
import type { LoreRowView, LoreTestView, LoreWhyView, TrialFault } from "../../../views/trial-views.ts";
import { connection } from "../../live.ts";
import { askTrial } from "./ask-trial.ts";
import { Faults } from "./judged.tsx";
import { Panel } from "./panel.tsx";
import type { TrialParts } from "./trial-parts.ts";

/** Says which entries of the lorebook come by a sentence, and why. */
export function TestLore(parts: TrialParts) {
  const say = parts.say.lore;
  const text = useSignal("");
  const isAsking = useSignal(false);
  const told = useSignal("");
  const answer = useSignal<Extract<LoreTestView, { kind: "tested" }> | undefined>(undefined);
  const faults = useSignal<readonly TrialFault[]>([]);
  const isOff = isAsking.value || connection.value.kind !== "live";
  const clear = (): void => {
    answer.value = undefined;
    faults.value = [];
    told.value = "";
  };

  async function test(): Promise<void> {
    if (isOff) return;
    clear();
    isAsking.value = true;
    const read = await askTrial<LoreTestView>(parts, "lore-test", { text: text.value });
    isAsking.value = false;
    if (read.kind === "ok" && read.view.kind === "tested") answer.value = read.view;
    else if (read.kind === "faulty") faults.value = read.faults;
    else told.value = parts.say.failed;
  }

  return (
    <Panel id="trial-lore" title={say.title} hint={say.hint}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void test();
        }}
      >
        <label class="able-field">
          <span>{say.text}</span>
          <textarea
            rows={2}
            maxLength={4_000}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
              clear();
            }}
          />
        </label>
        <button class="btn" type="submit" disabled={isOff}>
          {say.ask}
        </button>
      </form>
      <div role="status">
        {answer.value && (
          <>
            <p class="small">{say.count(answer.value.come, answer.value.all)}</p>
            {answer.value.rows.length === 0 && <p class="small soft">{say.none}</p>}
          </>
        )}
        {faults.value.length > 0 && <Faults faults={faults.value} say={parts.say} />}
        {told.value !== "" && <p class="small">{told.value}</p>}
      </div>
      {answer.value && answer.value.rows.length > 0 && (
        <ul class="trial-lore">
          {answer.value.rows.map((row) => (
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
