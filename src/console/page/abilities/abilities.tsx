import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AgentsView, GrantsView, ServersView, ToolsView } from "../../views/abilities-views.ts";
import type { SkillsView } from "../../views/skills-views.ts";
import { callServer } from "../call-server.ts";
import { followChanges } from "../live.ts";
import { pathTo, place } from "../router.ts";
import { Tabs } from "../tabs.tsx";
import type { AbilityParts } from "./ability-parts.ts";
import { Agents } from "./agents.tsx";
import { Grants } from "./grants.tsx";
import { Servers, isWaiting } from "./servers.tsx";
import { Skills } from "./skills.tsx";
import { Tools } from "./tools.tsx";

const tabs = ["tools", "grants", "mcp", "skills", "agents"] as const;
type Tab = (typeof tabs)[number];

/** Each tab shows one list, read from its own route. */
interface Lists {
  readonly tools: ToolsView;
  readonly grants: GrantsView;
  readonly mcp: ServersView;
  readonly skills: SkillsView;
  readonly agents: AgentsView;
}
/** The topics whose changes make a tab reload its list. */
const topics: Readonly<Record<Tab, readonly string[]>> = {
  tools: ["mcp", "turns", "health"],
  grants: ["grants", "turns"],
  mcp: ["mcp", "health"],
  skills: [],
  agents: ["turns"],
};

/** Her abilities, and whether she asks first: tools, grants, MCP servers, sub-agents. */
export function Abilities({ onSignedOut, ...parts }: AbilityParts & { readonly onSignedOut: () => void }) {
  const { say, words } = parts;
  const lists = useSignal<Partial<Lists>>({});
  const isLost = useSignal(false);
  const tab = tabs.find((one) => one === place.value[1]) ?? "tools";

  async function read(name: Tab): Promise<void> {
    const answer = await callServer<Lists[Tab]>("GET", `/${name}`);
    if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
    isLost.value = answer.kind !== "ok";
    if (answer.kind !== "ok" || answer.view.now < (lists.value[name]?.now ?? 0)) return;
    lists.value = { ...lists.value, [name]: answer.view };
  }
  useEffect(() => {
    const ends = tabs.map((name) => {
      void read(name);
      return followChanges(topics[name], () => void read(name));
    });
    return () => ends.forEach((end) => end());
  }, []);
  useEffect(() => {
    document.title = `${say.tabs[tab]} · Kurisu`;
  }, [tab]);

  const { agents, grants, mcp, skills, tools } = lists.value;
  const waiting = mcp?.items.filter(isWaiting).length ?? 0;
  return (
    <div class="able">
      <h1>{say.title}</h1>
      <Tabs
        label={words.pages.abilities}
        now={tab}
        tabs={tabs.map((name) => ({
          name,
          title: say.tabs[name],
          path: pathTo(name === "tools" ? ["abilities"] : ["abilities", name]),
          note:
            name === "mcp" && waiting > 0 ? (
              <span class="hot">{say.toSee(waiting)}</span>
            ) : (
              <span>{lists.value[name]?.items.length}</span>
            ),
        }))}
      />
      {lists.value[tab] === undefined && (
        <p class="empty" role="status">
          {isLost.value ? words.lost : words.loading}
        </p>
      )}
      {tab === "tools" && tools && <Tools {...parts} tools={tools} />}
      {tab === "grants" && grants && <Grants {...parts} grants={grants} onChanged={() => void read("grants")} />}
      {tab === "mcp" && mcp && <Servers {...parts} servers={mcp} onChanged={() => void read("mcp")} />}
      {tab === "skills" && skills && <Skills {...parts} skills={skills} onChanged={() => void read("skills")} />}
      {tab === "agents" && agents && <Agents {...parts} agents={agents} />}
    </div>
  );
}
