import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { AcceptRequest, ServersView, ServerToolView, ServerView } from "../../views/abilities-views.ts";
import { callServer } from "../call-server.ts";
import { connection } from "../live.ts";
import { createShowAmount } from "../show-amount.ts";
import type { AbilityParts } from "./ability-parts.ts";
import { Nothing } from "./nothing.tsx";
import { Definition } from "./definition.tsx";

const dots = {
  idle: "off",
  starting: "starting",
  ready: "ready",
  failed: "failed",
  login: "degraded",
  unapproved: "degraded",
} as const;

export const isWaiting = ({ state, tools }: ServerView): boolean =>
  state === "unapproved" || listWaiting(tools).length > 0;

const listWaiting = (tools: readonly ServerToolView[]) => tools.filter(({ hash }) => hash !== undefined);

/** The MCP servers; those with unreviewed definitions come first. */
export function Servers({
  servers: { items },
  onChanged,
  ...parts
}: AbilityParts & { readonly servers: ServersView; readonly onChanged: () => void }) {
  const say = parts.say.mcp;
  const told = useSignal("");

  async function accept({ name }: ServerView, hashes: readonly string[]): Promise<void> {
    told.value = "";
    const request: AcceptRequest = { hashes };
    const answer = await callServer("POST", `/mcp/${encodeURIComponent(name)}/accept`, request);
    const isOther = answer.kind === "refused" && answer.status === 409;
    told.value = answer.kind === "ok" ? say.accepted(name) : isOther ? say.changed : say.failed;
    onChanged();
  }
  const sorted = items.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)));
  return (
    <section aria-label={say.title}>
      <p role="status" class={told.value === "" ? "sr" : "able-told small"}>
        {told.value}
      </p>
      {items.length === 0 ? (
        <Nothing title={say.none} how={say.noneHow} />
      ) : (
        <ul class="sheet able-servers">
          {sorted.map((server) => (
            <Server key={server.name} server={server} onAccepted={(hashes) => accept(server, hashes)} {...parts} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Server({
  server,
  onAccepted,
  say: { mcp: say },
  words,
}: AbilityParts & {
  readonly server: ServerView;
  readonly onAccepted: (hashes: readonly string[]) => Promise<void>;
}) {
  const { detail, from, isInContainer, name, refused, state, tokens, tools, transport, way } = server;
  const waiting = listWaiting(tools);
  const fine = tools.filter((tool) => tool.state === "trusted").length;
  const amount = createShowAmount(words.tag);
  return (
    <li>
      <span class={`dot ${dots[state]}`} />
      <h2>
        {name}{" "}
        <span class="soft">
          {say.states[state]}
          <i class="sep" />
          {transport}
          {isInContainer && ` ${say.inContainer}`}
          <i class="sep" />
          {from}
        </span>
      </h2>
      <div class="rest">
        <p>
          {say.tools(tools.length, fine)}
          <i class="sep" />
          {say.tokens(amount.tokens(tokens))}
          {refused > 0 && (
            <>
              <i class="sep" />
              {say.refused(refused)}
            </>
          )}
        </p>
        <p class="mono way">{way}</p>
        {detail !== "" && state !== "ready" && (
          <p class="soft small" lang="en">
            {detail}
          </p>
        )}
        {(state === "unapproved" || state === "login") && (
          <p class="small">
            {say.onMachine[state]}{" "}
            <code class="mono">
              ./kurisu mcp {state === "login" ? "login" : "approve"} {name}
            </code>
          </p>
        )}
        {waiting.length > 0 && state !== "unapproved" && (
          <Review name={name} waiting={waiting} onAccepted={onAccepted} say={say} />
        )}
        {tools.length > 0 && (
          <details>
            <summary>{say.list}</summary>
            <ul class="names">
              {tools.map((tool) => (
                <li key={tool.name}>
                  <span class="mono">{tool.tool}</span>
                  {tool.state !== "trusted" && <span class="chip never">{say.toolStates[tool.state]}</span>}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}

/** The definitions that wait; accepting them takes a second step that names them. */
function Review({
  name,
  waiting,
  onAccepted,
  say,
}: {
  readonly name: string;
  readonly waiting: readonly ServerToolView[];
  readonly onAccepted: (hashes: readonly string[]) => Promise<void>;
  readonly say: AbilityParts["say"]["mcp"];
}) {
  /** The definitions that the second step names; a later reading does not change them. */
  const asked = useSignal<readonly ServerToolView[] | undefined>(undefined);
  const isBusy = useSignal(false);
  const first = useRef<HTMLButtonElement>(null);
  const isOff = isBusy.value || connection.value.kind !== "live";

  function close(): void {
    asked.value = undefined;
    requestAnimationFrame(() => first.current?.focus());
  }
  async function accept(shown: readonly ServerToolView[]): Promise<void> {
    isBusy.value = true;
    await onAccepted(shown.flatMap(({ hash }) => hash ?? []));
    isBusy.value = false;
    close();
  }
  return (
    <div class="review">
      <p class="small">{say.waiting(waiting.length)}</p>
      {waiting.map((tool) => (
        <Definition key={`${tool.name} ${tool.hash}`} tool={tool} say={say} />
      ))}
      {asked.value === undefined ? (
        <button class="btn sm" type="button" ref={first} disabled={isOff} onClick={() => (asked.value = waiting)}>
          {say.accept(waiting.length)}
        </button>
      ) : (
        <div class="sure" role="group" aria-label={say.sure(name, asked.value.length)}>
          <p>{say.sure(name, asked.value.length)}</p>
          <ul>
            {asked.value.map(({ hash = "", name: tool }) => (
              <li key={tool} class="mono">
                {tool} <span class="soft">{hash.slice(0, 12)}</span>
              </li>
            ))}
          </ul>
          <span class="acts">
            <button
              class="btn sm yes"
              type="button"
              disabled={isOff}
              onClick={() => void (asked.value && accept(asked.value))}
            >
              {say.yes}
            </button>
            <button class="btn sm" type="button" ref={(button) => button?.focus()} onClick={close}>
              {say.no}
            </button>
          </span>
        </div>
      )}
    </div>
  );
}
