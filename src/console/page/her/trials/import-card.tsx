import { useSignal } from "@preact/signals";
import type { CardRefusalView, CardView, InstallCardRequest, InstalledCardView } from "../../../views/trial-views.ts";
import { callServer, findReason, uploadFile } from "../../call-server.ts";
import { DropFile } from "../../drop-file.tsx";
import { connection } from "../../live.ts";
import { pathTo } from "../../router.ts";
import { ExaminedCard } from "./examined-card.tsx";
import type { TrialParts } from "./trial-parts.ts";

/** A card is dropped, shown, and becomes a persona as it was shown. */
export function ImportCard({ say: all }: Pick<TrialParts, "say">) {
  const say = all.card;
  const card = useSignal<CardView | undefined>(undefined);
  const told = useSignal("");
  const made = useSignal("");
  const fault = useSignal("");
  const isAsked = useSignal(false);
  const isBusy = useSignal(false);
  const isOff = isBusy.value || connection.value.kind !== "live";

  async function look(file: File): Promise<void> {
    isBusy.value = true;
    isAsked.value = false;
    card.value = undefined;
    made.value = "";
    fault.value = "";
    told.value = say.reading;
    const answer = await uploadFile<CardView>("/cards/examine", file);
    isBusy.value = false;
    told.value = "";
    if (answer.kind === "ok") card.value = answer.view;
    else if (answer.kind === "refused" && answer.status === 413) told.value = say.tooLarge;
    else told.value = findReason(answer) ?? all.failed;
  }

  async function install(wanted: Omit<InstallCardRequest, "digest">): Promise<void> {
    if (card.value === undefined || isOff) return;
    isBusy.value = true;
    fault.value = "";
    const request: InstallCardRequest = { ...wanted, digest: card.value.digest };
    const answer = await callServer<InstalledCardView>("POST", "/cards/install", request);
    isBusy.value = false;
    isAsked.value = false;
    if (answer.kind === "ok") {
      card.value = undefined;
      made.value = answer.view.id;
      told.value = say.done(answer.view.id);
    } else if (answer.kind === "refused" && [409, 422].includes(answer.status)) {
      const { code, message } = answer.view as CardRefusalView;
      if (code === "there") isAsked.value = true;
      else if (code === "gone") {
        card.value = undefined;
        told.value = say.refused.gone;
      } else
        fault.value = code === "faulty" || code === "unwritable" ? `${say.refused[code]}${message}` : say.refused[code];
    } else fault.value = all.failed;
  }

  return (
    <section class="sheet trial-panel" aria-labelledby="trial-card">
      <div class="able-head">
        <h2 id="trial-card">{say.title}</h2>
      </div>
      <DropFile accept=".png,.apng,.json,.charx" isOff={isOff} onFile={(file) => void look(file)} say={say} />
      <p class="small soft">{say.how}</p>
      <p role="status" class={told.value === "" ? "sr" : "small"}>
        {told.value}
      </p>
      {made.value !== "" && <a href={pathTo(["her", "persona", made.value])}>{say.open(made.value)}</a>}
      {card.value && (
        <ExaminedCard
          key={card.value.digest}
          card={card.value}
          say={say}
          fault={fault.value}
          isOff={isOff}
          isAsked={isAsked}
          onInstall={install}
          onCancel={() => (card.value = undefined)}
        />
      )}
    </section>
  );
}
