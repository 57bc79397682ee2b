import { useSignal } from "@preact/signals";
import type { PersonaRowView, PersonaTokensView } from "../../../views/persona-views.ts";
import { callServer } from "../../call-server.ts";
import { connection } from "../../live.ts";
import { pathTo } from "../../router.ts";
import type { HerParts } from "../her-parts.ts";

/** The cost of a persona, the conversations that use it, and the actions on it. */
export function PersonaFacts({
  draftTokens,
  onChosen,
  onSignedOut,
  row,
  say: { persona: say },
  tokens,
  words,
}: HerParts & {
  readonly row: PersonaRowView;
  readonly tokens: readonly PersonaTokensView[];
  /** With the drafts; undefined when everything is saved. */
  readonly draftTokens: readonly PersonaTokensView[] | undefined;
  readonly onChosen: () => void;
}) {
  const told = useSignal("");
  const isBusy = useSignal(false);

  async function choose(): Promise<void> {
    isBusy.value = true;
    const answer = await callServer("PUT", "/persona", { id: row.id });
    isBusy.value = false;
    if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
    if (answer.kind === "ok") {
      told.value = say.used;
      return onChosen();
    }
    const isRefused = answer.kind === "refused" && answer.status === 422;
    told.value = isRefused ? say.refused((answer.view as { readonly message: string }).message) : say.failed;
  }
  const show = (counts: readonly PersonaTokensView[]): string =>
    counts
      .map(({ language, tokens: sum }) => `${say.languages[language]} ${sum.toLocaleString(words.tag)}`)
      .join(" · ");

  const isSound = row.faults.length === 0;
  const path = `/api/personas/${encodeURIComponent(row.id)}/export`;
  return (
    <div class="her-top">
      <h2>
        {row.name} {row.isUsual && <span class="chip acc">{say.usual}</span>}{" "}
        {row.isShipped && <span class="chip">{say.shipped}</span>}
      </h2>
      <span class="her-acts">
        {!row.isUsual && isSound && (
          <button
            class="btn sm"
            type="button"
            disabled={isBusy.value || connection.value.kind !== "live"}
            onClick={() => void choose()}
          >
            {say.use}
          </button>
        )}
        {isSound && (
          <span class="small">
            {say.export}{" "}
            <a href={`${path}?as=png`} download="">
              PNG
            </a>{" "}
            <a href={`${path}?as=json`} download="">
              JSON
            </a>
          </span>
        )}
      </span>
      <p role="status" class={told.value === "" ? "sr" : "her-told small"}>
        {told.value}
      </p>
      <div class="persona-facts small soft">
        {tokens.length > 0 && (
          <p>
            {say.tokens}: {show(tokens)} token
            {draftTokens !== undefined && draftTokens.length > 0 && (
              <b class="persona-draft">
                {" "}
                → {say.draftTokens}: {show(draftTokens)} token
              </b>
            )}
          </p>
        )}
        <Chats row={row} say={say} />
        {row.isShipped && <p>{say.shippedHow}</p>}
      </div>
    </div>
  );
}

function Chats({ row, say }: { readonly row: PersonaRowView; readonly say: HerParts["say"]["persona"] }) {
  const { chatCount, chats, isUsual } = row;
  const rest = chatCount - chats.length;
  if (chatCount === 0) return <p>{isUsual ? say.usualHow : say.nobody}</p>;
  return (
    <p>
      {isUsual && `${say.usualHow} `}
      {say.chats}
      {chats.map(({ id, name }) => (
        <span key={id}>
          {" "}
          <a href={pathTo(["chats", id])}>{name}</a>
        </span>
      ))}
      {rest > 0 && ` ${say.more(rest)}`}
    </p>
  );
}
