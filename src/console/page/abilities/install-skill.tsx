import { useSignal } from "@preact/signals";
import type { ArchiveReviewView, InstallSkillRequest } from "../../views/skills-views.ts";
import { callServer, findReason, uploadFile } from "../call-server.ts";
import { DropFile } from "../drop-file.tsx";
import { connection } from "../live.ts";
import type { AbilityParts } from "./ability-parts.ts";
import { ArchiveReview } from "./archive-review.tsx";

/** An archive is dropped, shown, and installed as it was shown. */
export function InstallSkill({
  onChanged,
  say: { skills: all },
}: Pick<AbilityParts, "say"> & { readonly onChanged: () => void }) {
  const say = all.archive;
  const review = useSignal<ArchiveReviewView | undefined>(undefined);
  const told = useSignal("");
  const isBusy = useSignal(false);
  const isOff = isBusy.value || connection.value.kind !== "live";

  async function look(file: File): Promise<void> {
    isBusy.value = true;
    review.value = undefined;
    told.value = say.reading;
    const answer = await uploadFile<ArchiveReviewView>(`/skills/archive?name=${encodeURIComponent(file.name)}`, file);
    isBusy.value = false;
    told.value = "";
    if (answer.kind === "ok") review.value = answer.view;
    else if (answer.kind === "refused" && answer.status === 413) told.value = say.tooLarge;
    else told.value = findReason(answer) ?? all.failed;
  }
  async function install({ hash, id, review: shown }: ArchiveReviewView): Promise<void> {
    isBusy.value = true;
    const request: InstallSkillRequest = { review: shown, hash };
    const answer = await callServer("POST", "/skills/install", request);
    isBusy.value = false;
    const isOther = answer.kind === "refused" && answer.status === 409;
    told.value = answer.kind === "ok" ? say.done(id) : isOther ? say.other : (findReason(answer) ?? all.failed);
    if (answer.kind === "ok" || isOther) review.value = undefined;
    onChanged();
  }

  return (
    <section class="sheet able-install" aria-labelledby="install-skill">
      <h2 class="head" id="install-skill">
        {say.title}
      </h2>
      <DropFile accept=".skill,.zip,.tar,.tgz,.gz" isOff={isOff} onFile={(file) => void look(file)} say={say} />
      <p class="small soft">{say.how}</p>
      <p role="status" class={told.value === "" ? "sr" : "small"}>
        {told.value}
      </p>
      {review.value && (
        <ArchiveReview
          review={review.value}
          say={say}
          isOff={isOff}
          onInstall={install}
          onCancel={() => (review.value = undefined)}
        />
      )}
    </section>
  );
}
