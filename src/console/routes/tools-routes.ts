import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { resolveAlias } from "../../kernel/gate/tool-aliases.ts";
import type { AskedAbout, ExplainedOrFaulty } from "../../kernel/tools/explain-asked-call.ts";
import { readFirstSentence } from "../../kernel/tools/first-sentence.ts";
import type { DecidedToolRow } from "../../kernel/tools/list-tool-rows.ts";
import type { Store } from "../../store/open-store.ts";
import { countCallsSince } from "../../store/queries/ledger.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { findLanguage } from "../door/find-language.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import { toLine, toPerson } from "../names/name-sessions.ts";
import type { ToolsView, ToolView, WhyFault, WhyView } from "../views/abilities-views.ts";

export interface ToolsParts {
  readonly tools: {
    list(): readonly DecidedToolRow[];
    why(asked: AskedAbout): Promise<ExplainedOrFaulty>;
  };
  readonly store: Pick<Store, "main">;
  readonly language: () => Language;
  readonly clock: Clock;
}

const weekMs = 7 * 24 * 3_600_000;
const maxDescription = 160;
const maxReason = 300;
const whyRequest = z.strictObject({
  tool: z.string().max(200),
  arguments: z.string().max(32_000),
  role: z.enum(["owner", "trusted", "member", "guest"]).optional(),
  person: z.string().max(200).optional(),
  chat: z.string().max(300).optional(),
  group: z.boolean().optional(),
  tainted: z.boolean().optional(),
});

/** Every tool with the rule that decides about it, and what would become of a call. Nothing is run. */
export function listToolsRoutes(parts: ToolsParts): readonly Route[] {
  const { clock, store, tools } = parts;
  return [
    {
      method: "GET",
      path: "/tools",
      role: "owner",
      async answer(context) {
        const now = clock.now();
        const uses = sumByTool(await countCallsSince(store.main, now - weekMs));
        const language = findLanguage(context, parts.language());
        const view: ToolsView = { now, items: tools.list().map((row) => showTool(row, uses, language)) };
        return context.json(view);
      },
    },
    {
      method: "POST",
      path: "/tools/why",
      role: "owner",
      async answer(context) {
        const given = whyRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say which tool, and its arguments as JSON.");
        const explained = await tools.why(await describeAsked(store, given.data));
        if (explained.kind === "faulty") {
          const field = explained.field === "name" ? "tool" : explained.field;
          return context.json(
            { code: "invalid", field, message: makeVisible(explained.problem) } satisfies WhyFault,
            400,
          );
        }
        // Rules, names and reasons of servers are in it.
        return context.json(JSON.parse(makeVisible(JSON.stringify(explained.json satisfies WhyView))) as WhyView);
      },
    },
  ];
}

async function describeAsked(store: Pick<Store, "main">, request: z.output<typeof whyRequest>): Promise<AskedAbout> {
  const { arguments: given, chat, group = false, person, role, tainted = false, tool } = request;
  const session = chat === undefined ? undefined : await findSession(store.main, chat);
  const isPrivate = session?.chat_kind === "private";
  const other = isPrivate ? toPerson(session) : undefined;
  return {
    name: tool,
    arguments: given,
    user: person ?? (role === undefined ? other : undefined),
    role,
    chat,
    group: session === undefined ? group : !isPrivate,
    tainted,
  };
}

function sumByTool(uses: Awaited<ReturnType<typeof countCallsSince>>): Map<string, { count: number; lastAt: number }> {
  const sums = new Map<string, { count: number; lastAt: number }>();
  for (const [called, { count, lastAt }] of uses) {
    const name = resolveAlias(called);
    const sum = sums.get(name);
    sums.set(name, { count: (sum?.count ?? 0) + count, lastAt: Math.max(sum?.lastAt ?? 0, lastAt) });
  }
  return sums;
}

function showTool(row: DecidedToolRow, uses: ReturnType<typeof sumByTool>, language: Language): ToolView {
  const { available, by, decidedBy, descriptions, level, name, place, reason, source, state } = row;
  const used = uses.get(name);
  const isHeld = state !== undefined && state !== "trusted";
  const missing = available || reason === undefined ? undefined : toLine(reason, maxReason);
  return {
    name: makeVisible(name),
    description: toLine(readFirstSentence(language === "zh" ? descriptions.zh : descriptions.en), maxDescription),
    level: isHeld ? "held" : level,
    source,
    ...(by !== undefined && { by: makeVisible(by) }),
    decidedBy,
    ...(place !== undefined && { place }),
    ...(missing !== undefined && { missing }),
    uses: used?.count ?? 0,
    ...(used && { lastUsed: used.lastAt }),
  };
}
