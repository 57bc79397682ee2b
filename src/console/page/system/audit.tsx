import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AuditCheckView, AuditRowView, AuditView } from "../../views/system-views.ts";
import { callServer } from "../call-server.ts";
import { connection, serverNow } from "../live.ts";
import { pathTo } from "../router.ts";
import type { SystemPageParts } from "./system-parts.ts";

/** Reading the whole chain of a large installation takes a while. */
const verifyMs = 5 * 60_000;

/** The rows of the audit, the newest first, and the check of their chain. */
export function Audit(parts: SystemPageParts) {
  const {
    onSignedOut,
    say: { audit: say },
    words,
  } = parts;
  const rows = useSignal<readonly AuditRowView[] | undefined>(undefined);
  const next = useSignal<string | undefined>(undefined);
  const isLost = useSignal(false);
  const field = useSignal("");
  const about = useSignal("");

  async function read(cursor?: string): Promise<void> {
    const wanted = about.value;
    const values = new URLSearchParams({ ...(wanted !== "" && { about: wanted }), ...(cursor && { cursor }) });
    const answer = await callServer<AuditView>("GET", `/audit?${values.toString()}`);
    if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
    // Another search has begun since, or a second click asked for the same rows.
    if (wanted !== about.value || (cursor !== undefined && cursor !== next.value)) return;
    isLost.value = answer.kind !== "ok";
    if (answer.kind !== "ok") return;
    rows.value = [...(cursor === undefined ? [] : (rows.value ?? [])), ...answer.view.items];
    next.value = answer.view.next;
  }
  useEffect(() => void read(), [about.value]);

  return (
    <section aria-label={say.title}>
      <form
        class="sys-filters"
        onSubmit={(event) => {
          event.preventDefault();
          about.value = field.value.trim();
        }}
      >
        <input
          type="search"
          value={field.value}
          aria-label={say.find}
          placeholder={say.idOrRow}
          onInput={({ currentTarget }) => {
            field.value = currentTarget.value;
            if (currentTarget.value === "") about.value = "";
          }}
        />
        <button class="btn" type="submit">
          {say.search}
        </button>
        <Check {...parts} />
      </form>
      {rows.value === undefined && <p role="status">{isLost.value ? words.lost : words.loading}</p>}
      {rows.value?.length === 0 && <p class="small soft">{say.none}</p>}
      {rows.value !== undefined && rows.value.length > 0 && (
        <ol class="sheet sys-audit">
          {rows.value.map((row) => (
            <Row key={row.seq} row={row} parts={parts} onAbout={(id) => (about.value = field.value = id)} />
          ))}
        </ol>
      )}
      {next.value !== undefined && (
        <button class="btn" type="button" onClick={() => void read(next.value)}>
          {say.more}
        </button>
      )}
      {isLost.value && rows.value !== undefined && <p role="status">{words.lost}</p>}
    </section>
  );
}

function Row({
  onAbout,
  parts: { say, time },
  row,
}: {
  readonly row: AuditRowView;
  readonly parts: SystemPageParts;
  readonly onAbout: (id: string) => void;
}) {
  const { turn } = row;
  return (
    <li>
      <span class="soft small">
        {row.seq} <time dateTime={new Date(row.at).toISOString()}>{time.short(row.at, serverNow())}</time>
      </span>{" "}
      <b class="mono">{row.action}</b> <span>{row.actor}</span>
      {row.link === undefined && <span class="chip never">{say.audit.unlinked}</span>}
      <span class="d small">
        {row.session !== undefined && <a href={pathTo(["chats", row.session])}>{row.session}</a>}{" "}
        {turn !== undefined && (
          <button class="link" type="button" onClick={() => onAbout(turn)}>
            {say.audit.turn}
          </button>
        )}
      </span>
      {row.detail !== "{}" && <code class="d small">{row.detail}</code>}
    </li>
  );
}

/** Checks the chain of the rows. */
function Check({ say: { audit: say } }: SystemPageParts) {
  const state = useSignal<AuditCheckView | "running" | "failed" | undefined>(undefined);
  async function verify(): Promise<void> {
    state.value = "running";
    const answer = await callServer<AuditCheckView>("POST", "/audit/verify", {}, verifyMs);
    state.value = answer.kind === "ok" ? answer.view : "failed";
  }
  const { value } = state;
  return (
    <>
      <button
        class="btn"
        type="button"
        disabled={value === "running" || connection.value.kind !== "live"}
        onClick={() => void verify()}
      >
        {value === "running" ? say.checking : say.check}
      </button>
      <span role="status">
        {value === "failed" && say.checkFailed}
        {typeof value === "object" && value.kind === "intact" && (
          <span class="chip free">{say.intact(value.rows, value.erased)}</span>
        )}
        {typeof value === "object" && value.kind === "broken" && (
          <>
            <span class="chip never">{say.broken(value.sound)}</span> <span lang="en">{value.detail}</span>
          </>
        )}
      </span>
    </>
  );
}
