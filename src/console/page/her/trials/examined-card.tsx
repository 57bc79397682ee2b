import { useSignal, type Signal } from "@preact/signals";
import type { CardView, InstallCardRequest } from "../../../views/trial-views.ts";
import { Confirmation } from "../../confirmation.tsx";
import type { TrialsWords } from "../../words/trials/zh.ts";

type CardWords = TrialsWords["card"];

/** All that a card brings and leaves, and the owner's choices. */
export function ExaminedCard({
  card,
  fault,
  isAsked,
  isOff,
  onCancel,
  onInstall,
  say,
}: {
  readonly card: CardView;
  readonly say: CardWords;
  readonly fault: string;
  readonly isOff: boolean;
  /** An earlier import has the id: the owner is asked whether it goes. */
  readonly isAsked: Signal<boolean>;
  readonly onInstall: (wanted: Omit<InstallCardRequest, "digest">) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const id = useSignal(card.id);
  const takes = useSignal(false);
  const wanted = (replace: boolean) => ({ id: id.value.trim(), instructions: takes.value, replace });
  return (
    <div class="able-review" role="group" aria-label={card.name}>
      <h3>
        {card.name} <span class="soft">{say.version(card.version)}</span>
      </h3>
      <Contents card={card} say={say} />
      <Quoted title={say.soul} texts={[card.soul]} />
      {card.always.length > 0 && <Quoted title={say.always(card.always.length)} texts={card.always} />}
      {card.instructions.length > 0 && (
        <>
          <Quoted title={say.instructions} texts={card.instructions.map(({ name, text }) => `${name}:\n${text}`)} />
          <label class="able-check">
            <input
              type="checkbox"
              checked={takes.value}
              onChange={({ currentTarget }) => (takes.value = currentTarget.checked)}
            />
            {say.take}
          </label>
          <p class="small soft">{say.takeHow}</p>
        </>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOff && !isAsked.value) void onInstall(wanted(false));
        }}
      >
        <label class="able-field">
          <span>{say.id}</span>
          <input
            class="mono"
            value={id.value}
            maxLength={64}
            spellcheck={false}
            autocapitalize="off"
            aria-invalid={fault !== ""}
            aria-describedby="card-id-how"
            onInput={({ currentTarget }) => {
              id.value = currentTarget.value;
              isAsked.value = false;
            }}
          />
          <span class="small soft" id="card-id-how">
            {say.idHow}
          </span>
        </label>
        {!isAsked.value && (
          <span class="acts">
            <button class="btn yes" type="submit" disabled={isOff || id.value.trim() === ""}>
              {say.install}
            </button>
            <button class="btn" type="button" onClick={onCancel}>
              {say.cancel}
            </button>
          </span>
        )}
      </form>
      {isAsked.value && (
        <Confirmation
          what={say.replace(id.value.trim())}
          yes={say.replaceYes}
          no={say.no}
          isOff={isOff}
          onYes={() => void onInstall(wanted(true))}
          onNo={() => (isAsked.value = false)}
        />
      )}
      <p role="alert" class={fault === "" ? "sr" : "bad small"}>
        {fault}
      </p>
    </div>
  );
}

function Contents({ card, say }: { readonly card: CardView; readonly say: CardWords }) {
  const { description, entries, files, greetings } = card.keeps;
  const keeps = [
    say.description(description),
    ...(greetings > 0 ? [say.greetings(greetings)] : []),
    ...(entries > 0 ? [say.entries(entries)] : []),
    ...(card.hasPicture ? [say.picture] : []),
    ...(files > 0 ? [say.files(files)] : []),
  ];
  const leaves = [
    ...(card.instructions.length > 0 ? [say.instructionsLeft] : []),
    ...(card.bookFault === undefined ? [] : [say.bookLeft(card.bookFault)]),
  ];
  return (
    <>
      <dl class="trial-card">
        <dt>{say.keeps}</dt>
        <dd>
          <ul>
            {keeps.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </dd>
        {leaves.length > 0 && (
          <>
            <dt>{say.leaves}</dt>
            <dd>
              <ul>
                {leaves.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
      <p class="small soft">{say.stored}</p>
    </>
  );
}

/** The card's own words, whole, as the text that they are. */
function Quoted({ texts, title }: { readonly title: string; readonly texts: readonly string[] }) {
  return (
    <figure class="trial-quoted">
      <figcaption class="small soft">{title}</figcaption>
      {texts.map((text, at) =>
        isLong(text) ? (
          <blockquote key={at} class="long" tabIndex={0}>
            {text}
          </blockquote>
        ) : (
          <blockquote key={at}>{text}</blockquote>
        ),
      )}
    </figure>
  );
}

/** It scrolls by itself, so the keyboard must reach it. */
const isLong = (text: string): boolean => text.length > 300 || text.split("\n").length > 10;
