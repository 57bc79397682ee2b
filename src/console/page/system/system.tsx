import { useEffect } from "preact/hooks";
import { pathTo, place } from "../router.ts";
import { Tabs } from "../tabs.tsx";
import { Audit } from "./audit.tsx";
import { Config } from "./config.tsx";
import { Costs } from "./costs.tsx";
import { Log } from "./log.tsx";
import { Parts } from "./parts.tsx";
import { People } from "./people.tsx";
import type { SystemPageParts } from "./system-parts.ts";

const tabs = {
  parts: Parts,
  log: Log,
  cost: Costs,
  audit: Audit,
  people: People,
  config: Config,
} as const;
type TabName = keyof typeof tabs;
const names = Object.keys(tabs) as readonly TabName[];

/** How she runs. */
export function System(parts: SystemPageParts) {
  const { say, words } = parts;
  const now = names.find((name) => name === place.value[1]) ?? "parts";
  const Shown = tabs[now];
  useEffect(() => {
    document.title = `${say.tabs[now]} · Kurisu`;
  }, [now]);
  return (
    <div class="system">
      <h1>{say.title}</h1>
      <Tabs
        label={words.pages.system}
        now={now}
        tabs={names.map((name) => ({
          name,
          title: say.tabs[name],
          path: pathTo(name === "parts" ? ["system"] : ["system", name]),
        }))}
      />
      <Shown {...parts} />
    </div>
  );
}
