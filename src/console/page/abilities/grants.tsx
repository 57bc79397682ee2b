import { useSignal } from "@preact/signals";
import type { GrantsView, GrantView } from "../../views/abilities-views.ts";
import { callServer } from "../call-server.ts";
import { namePlatform } from "../describe-question.ts";
import { connection } from "../live.ts";
import { pathTo } from "../router.ts";
import type { AbilityParts } from "./ability-parts.ts";
import { Nothing } from "./nothing.tsx";

/** The grants of every chat; each can be revoked. */
export function Grants({
  grants: { items, now },
  onChanged,
  say: { grants: say },
  words,
  time,
}: AbilityParts & { readonly grants: GrantsView; readonly onChanged: () => void }) {
  const told = useSignal("");
  const isBusy = useSignal(false);

  async function revoke({ code, id }: GrantView): Promise<void> {
    isBusy.value = true;
    const answer = await callServer("DELETE", `/grants/${encodeURIComponent(id)}`);
    isBusy.value = false;
    const isGone = answer.kind === "refused" && answer.status === 404;
    told.value = answer.kind === "ok" ? say.revoked(code) : isGone ? say.gone : say.failed;
    onChanged();
  }
  return (
    <section aria-label={say.title}>
      {items.length === 0 ? (
        <Nothing title={say.none} how={say.noneHow} />
      ) : (
        <ul class="sheet able-list">
          {items.map((grant) => (
            <li key={grant.id}>
              <b class="mono">{grant.code}</b>
              <span class="t">
                {grant.covers}
                <span class="d">
                  {grant.person}
                  <i class="sep" />
                  <a href={pathTo(["chats", grant.session])}>
                    {grant.chat} {namePlatform(grant.platform, words)}
                  </a>
                  <i class="sep" />
                  {grant.isForTask ? say.forTask : say.until(time.short(grant.until, now))}
                  <i class="sep" />
                  {say.uses(grant.uses)}
                </span>
              </span>
              <button
                class="btn sm no"
                type="button"
                aria-label={say.revokeOne(grant.code, grant.person)}
                disabled={isBusy.value || connection.value.kind !== "live"}
                onClick={() => void revoke(grant)}
              >
                {say.revoke}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" class={told.value === "" ? "sr" : "able-told small soft"}>
        {told.value}
      </p>
    </section>
  );
}
