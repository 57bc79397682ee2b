import { describe, expect, it } from "vitest";
import { judgeCall } from "../../support/judge-call.ts";
import type { SessionMode } from "../../../src/kernel/gate/session-mode.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import type { Role, ToolLevel, Verdict } from "../../../src/kernel/gate/types.ts";
import { makePerson, makePlainTool, makeRules } from "../../support/plain-tool.ts";

/**
 * Who may do what, all of it: `A` at once, `?` after a yes, `-` never; `*` = whichever. Levels stand in a rule; default =
 * no line of the configuration names the tool.
 */
const table = `
tool     level    chat     has read   act: owner trusted member guest   plan: owner trusted member guest
reads    safe     *        *               A     A       A      A             A     A       A      A
reads    confirm  *        *               ?     ?       ?      -             ?     ?       ?      -
effect   safe     *        trusted         A     A       A      -             -     -       -      -
effect   safe     *        untrusted       ?     ?       ?      -             -     -       -      -
effect   confirm  *        *               ?     ?       ?      -             -     -       -      -
always   safe     *        *               ?     ?       ?      -             -     -       -      -
always   confirm  *        *               ?     ?       ?      -             -     -       -      -
always   default  *        *               ?     ?       ?      -             -     -       -      -
inner    safe     *        trusted         A     A       A      -             A     A       A      -
inner    safe     *        untrusted       ?     ?       ?      -             ?     ?       ?      -
inner    default  *        trusted         A     A       A      -             A     A       A      -
own      safe     *        trusted         A     A       A      -             -     -       -      -
own      safe     *        untrusted       ?     ?       ?      -             -     -       -      -
own      confirm  *        *               ?     ?       ?      -             -     -       -      -
own      default  private  trusted         A     ?       ?      -             -     -       -      -
own      default  private  untrusted       ?     ?       ?      -             -     -       -      -
own      default  group    *               ?     ?       ?      -             -     -       -      -
mcp      default  *        *               ?     ?       ?      -             -     -       -      -
mcp      safe     *        trusted         A     A       A      -             -     -       -      -
gone     safe     *        *               -     -       -      -             -     -       -      -
*        deny     *        *               -     -       -      -             -     -       -      -
`;

const tools: Readonly<Record<string, Partial<Tool>>> = {
  reads: { readOnly: true, level: "safe" },
  effect: {},
  /** As shell and file_delete. */
  always: { alwaysAsks: true, place: "sandbox" },
  /** Changes nothing outside of Kurisu. */
  inner: { level: "safe", place: "gateway" },
  /** As send_file. */
  own: { safeInOwnChat: true },
  mcp: { source: "mcp", level: "safe", place: "network" },
  gone: { readOnly: true, availability: () => ({ ok: false, reason: "not here" }) },
};
const roles: readonly Role[] = ["owner", "trusted", "member", "guest"];
const modes: readonly SessionMode[] = [{ kind: "act" }, { kind: "plan", paths: [] }];
const signs: Record<Verdict["kind"], string> = { allow: "A", ask: "?", deny: "-" };

const rows = table
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.trim().split(/\s+/));
const each = (cell: string | undefined, all: readonly string[]) => (cell === "*" ? all : [cell ?? ""]);

const cases = rows.flatMap(([kind, level, chat, read, ...expected]) =>
  each(kind, Object.keys(tools)).flatMap((tool) =>
    each(chat, ["private", "group"]).flatMap((chatKind) =>
      each(read, ["trusted", "untrusted"]).map(
        (label) => [tool, level ?? "", chatKind, label, expected.join("")] as const,
      ),
    ),
  ),
);

describe("the gate", () => {
  it.each(cases)("%s at level %s, in a %s chat, having read something %s → %s", (kind, level, chat, read, expected) => {
    const tool = makePlainTool({ place: "workspace", ...tools[kind] });
    const rules = makeRules(level === "default" ? [] : [{ tool: "poke", level: level as ToolLevel }]);
    const chatKind = chat as "private" | "group";
    const verdicts = modes.flatMap((mode) =>
      roles.map((role) => {
        const clean = role === "owner" ? "owner" : "user";
        const taint = read === "untrusted" ? "untrusted" : clean;
        return signs[judgeCall(tool, makePerson(role), taint, rules, { mode, input: {}, chatKind }).kind];
      }),
    );
    expect(verdicts.join("")).toBe(expected);
  });

  it("knows every kind of tool at every level there is", () => {
    expect(cases.length).toBeGreaterThan(60);
    expect(new Set(cases.map(([tool]) => tool))).toEqual(new Set(Object.keys(tools)));
    expect(new Set(cases.map(([, level]) => level))).toEqual(new Set(["safe", "confirm", "deny", "default"]));
  });

  it("gives a sub-agent no more than the person and its own list both have", () => {
    const strictness = { allow: 0, ask: 1, deny: 2 };
    for (const [kind, level, chat, read] of cases) {
      const tool = makePlainTool(tools[kind]);
      const rules = makeRules(level === "default" ? [] : [{ tool: "poke", level: level as ToolLevel }]);
      for (const role of roles) {
        const judge = (only?: readonly string[]) =>
          judgeCall(tool, makePerson(role), read === "untrusted" ? "untrusted" : "user", rules, {
            mode: { kind: "act" },
            input: {},
            chatKind: chat as "private" | "group",
            ...(only && { only }),
          });
        expect(strictness[judge(["poke"]).kind]).toBeGreaterThanOrEqual(strictness[judge().kind]);
        expect(judge(["peek"])).toMatchObject({ kind: "deny", reason: expect.stringContaining("peek") as string });
        expect(judge([]).kind).toBe("deny");
      }
    }
  });
});
