import { countOf } from "../count-of.ts";
import type { Words } from "../dictionary.ts";

export const editor: Words["editor"] = {
  place: (cwd) => `(Your editor has ${cwd} open. My file tools are not in there: they act in my own workspace only.)`,
  serversLeftOut: (names) =>
    `(The MCP servers of your editor are not connected: ${names.join(", ")}. If you want them, put them into my own mcp.json.)`,
  allow: "Confirm, this once",
  reject: "Cancel",
  you: "you",
  several: (count) => `${countOf(count, "thing")}, one answer`,
  leftOut: (count) => `(${count} earlier messages are left out.)`,
  stopped: "Kurisu stopped. What you said is kept and answered after the next start.",
  modes: {
    act: { name: "Act", description: "look and do; what has an effect is asked first" },
    plan: { name: "Plan", description: "look only, change nothing" },
  },
};
