import { useSignal } from "@preact/signals";
import type {
  PersonaCheckView,
  PersonaFileView,
  PersonaRowView,
  PersonasView,
  PersonaTokensView,
  PersonaView,
} from "../../../views/persona-views.ts";
import { callServer, type ServerAnswer } from "../../call-server.ts";
import { fromField } from "../../keep-line-ends.ts";
import { pathTo, place } from "../../router.ts";
import { useLeaving } from "../../use-leaving.ts";
import type { FileDraft } from "../../use-stored-file.ts";
import { useView } from "../../use-view.ts";
import { Empty } from "../empty.tsx";
import type { HerParts } from "../her-parts.ts";
import { Trials } from "../trials/trials.tsx";
import { PersonaFacts } from "./persona-facts.tsx";
import { PersonaFile } from "./persona-file.tsx";
import { PersonaList } from "./persona-list.tsx";

/** The personas, and the files of one of them. */
export function Persona(parts: HerParts) {
  const {
    onSignedOut,
    say: { persona: say },
    words,
  } = parts;
  const { isLost, read, view } = useView<PersonasView>("/personas", [], onSignedOut);
  const opened = useSignal<string | undefined>(undefined);
  const [, , wanted] = place.value;
  const items = view.value?.items;
  if (items === undefined) return <p role="status">{isLost.value ? words.lost : words.loading}</p>;
  // Kept once chosen: another browser may change the usual persona, and the drafts belong to the open one.
  opened.value = wanted ?? opened.peek() ?? items.find(({ isUsual }) => isUsual)?.id;
  const row = items.find(({ id }) => id === opened.peek());
  return (
    <div class="sheet her-know">
      <PersonaList items={items} now={row?.id} say={say} />
      {row === undefined ? (
        <Empty title={say.gone} how={<a href={pathTo(["her", "persona"])}>{say.goneHow}</a>} />
      ) : (
        <OpenPersona key={row.id} {...parts} row={row} onChanged={() => void read()} />
      )}
    </div>
  );
}

function OpenPersona({
  onChanged,
  row,
  ...parts
}: HerParts & { readonly row: PersonaRowView; readonly onChanged: () => void }) {
  const {
    onSignedOut,
    say: { persona: say },
    words,
  } = parts;
  const path = `/personas/${encodeURIComponent(row.id)}` as const;
  const { isLost, read, view } = useView<PersonaView>(path, [], onSignedOut);
  const drafts = useSignal<Readonly<Record<string, FileDraft>>>({});
  const draftTokens = useSignal<readonly PersonaTokensView[] | undefined>(undefined);
  const isCopied = useSignal(false);
  const base = pathTo(["her", "persona", row.id]);
  useLeaving(Object.keys(drafts.value).length > 0, say.editor.leave, (to) => to === base || to.startsWith(`${base}/`));

  const persona = view.value;
  if (persona === undefined) return <p role="status">{isLost.value ? words.lost : words.loading}</p>;
  const [, , , wanted] = place.value;
  const { faults, files, isWritable, tokens } = persona;
  const file = files.find(({ name }) => name === wanted) ?? files.find(({ name }) => name === "soul.md") ?? files[0];
  if (file === undefined) return <Empty title={say.gone} how={say.goneHow} />;

  function keep(name: string, draft: FileDraft | undefined): void {
    const { [name]: _, ...others } = drafts.value;
    drafts.value = draft === undefined ? others : { ...others, [name]: draft };
  }
  async function check(more: Readonly<Record<string, string>> = {}): Promise<ServerAnswer<PersonaCheckView>> {
    const answer = await callServer<PersonaCheckView>("POST", `${path}/check`, {
      drafts: { ...toTexts(drafts.value), ...more },
    });
    if (answer.kind === "ok") draftTokens.value = answer.view.tokens;
    return answer;
  }
  /** The other files may have drafts, which go on counting. */
  function recount(): void {
    if (Object.keys(drafts.value).length > 0) void check();
    else draftTokens.value = undefined;
  }

  return (
    <div class="persona-open">
      <PersonaFacts
        {...parts}
        row={row}
        tokens={tokens}
        draftTokens={Object.keys(drafts.value).length > 0 ? draftTokens.value : undefined}
        onChosen={onChanged}
      />
      <div class="persona-edit">
        {!isWritable && <p class="sys-note">{say.readOnly}</p>}
        {isCopied.value && <p class="small soft">{say.copied}</p>}
        <FileTabs id={row.id} persona={persona} now={file.name} drafts={drafts.value} say={say} />
        <PersonaFile
          key={file.name}
          path={path}
          file={file}
          faults={faults}
          isWritable={isWritable}
          draft={drafts.value[file.name]}
          keep={(draft) => keep(file.name, draft)}
          check={(text) => check({ [file.name]: text })}
          onClean={recount}
          onSaved={(saved) => {
            isCopied.value ||= saved.isCopied;
            recount();
            void read();
            onChanged();
          }}
          say={say}
        />
      </div>
      <div class="persona-try">
        <Trials words={words} say={parts.say.trials} persona={row.id} drafts={toTexts(drafts.value)} />
      </div>
    </div>
  );
}

/** The texts that are not saved, by the names of their files. */
const toTexts = (drafts: Readonly<Record<string, FileDraft>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(drafts).map(([name, { stored, text }]) => [name, fromField(text, stored.text)]));

function FileTabs({
  drafts,
  id,
  now,
  persona: { faults, files },
  say,
}: {
  readonly id: string;
  readonly persona: { readonly files: readonly PersonaFileView[]; readonly faults: PersonaView["faults"] };
  readonly now: string;
  readonly drafts: Readonly<Record<string, FileDraft>>;
  readonly say: HerParts["say"]["persona"];
}) {
  return (
    <nav class="config-files" aria-label={say.files}>
      {files.map(({ name }) => {
        const isBroken = faults.some(({ place: { file } }) => file === name);
        const isUnsaved = drafts[name] !== undefined;
        const note = isBroken ? say.broken : isUnsaved ? say.unsaved : undefined;
        return (
          <a
            key={name}
            class="mono"
            href={pathTo(["her", "persona", id, name])}
            aria-current={name === now ? "page" : undefined}
          >
            {note !== undefined && <span class={`dot ${isBroken ? "failed" : "degraded"}`} />}
            {name}
            {note !== undefined && <span class="sr"> {note}</span>}
          </a>
        );
      })}
    </nav>
  );
}
