import type { AgentsView, AgentView } from "../../views/abilities-views.ts";
import { pathTo } from "../router.ts";
import { showDuration } from "../show-duration.ts";
import type { AbilityParts } from "./ability-parts.ts";
import { Nothing } from "./nothing.tsx";

/** The sub-agents with their tools, their model, and what they did last. */
export function Agents({ agents: { items, now }, ...parts }: AbilityParts & { readonly agents: AgentsView }) {
  const { agents: say } = parts.say;
  if (items.length === 0) return <Nothing title={say.none} how={say.noneHow} />;
  return (
    <ul class="sheet able-agents" aria-label={say.title}>
      {items.map((agent) => (
        <Agent key={agent.id} agent={agent} now={now} {...parts} />
      ))}
    </ul>
  );
}

function Agent({
  agent: { description, exclude, id, model, runs, tools },
  now,
  say: { agents: say, comma },
  time,
}: AbilityParts & { readonly agent: AgentView; readonly now: number }) {
  const tiers: Readonly<Record<string, string>> = { inherit: say.inherit, ...say.tiers };
  return (
    <li>
      <h2 class="mono">{id}</h2>
      <p class="soft">{description}</p>
      <dl>
        <dt>{say.tools}</dt>
        <dd>
          <span class="mono">{tools.join(", ")}</span>
          {exclude.length > 0 && `${comma}${say.without(exclude.join(", "))}`}
        </dd>
        <dt>{say.model}</dt>
        <dd>{tiers[model] ?? model}</dd>
        <dt>{say.runs}</dt>
        <dd>
          {runs.length === 0 ? (
            <span class="soft">{say.noRuns}</span>
          ) : (
            <ul>
              {runs.map(({ at, chat, ms, session, state, turn }) => (
                <li key={turn}>
                  {time.short(at, now)}
                  <i class="sep" />
                  {say.states[state]}
                  {ms !== undefined && ` ${showDuration(ms)}`}
                  <i class="sep" />
                  <a href={pathTo(["chats", session])}>{chat}</a>
                </li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
    </li>
  );
}
