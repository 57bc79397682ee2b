import { mcpWords, type McpWords } from "./words.ts";
import { fence, makeVisible, measurePayload, maxAsked, showPayload } from "../../core/persona/show-payload.ts";
import type { JsonObject, Language } from "../../core/conversation.ts";
import { describeError } from "../../core/errors.ts";
import type { TurnSkills } from "../../kernel/agent/turn-skills.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { describeDifference, shortHash } from "./pins/describe-difference.ts";
import { describeTransport } from "./servers/describe-transport.ts";
import type { MCPBridge, McpServerView } from "./mcp-bridge.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpConnection } from "./connection/types.ts";
import type { Scrub } from "../../kernel/tools/key-argument.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import type { OrderCalls } from "../../kernel/commands/order-calls.ts";
import { describeState } from "./describe-state.ts";
import { readPastedRedirect } from "./login/read-redirect.ts";
import { tellAs } from "../../kernel/outbox/tell-as.ts";

/** `/mcp …`; undefined = what was ordered was put into the lane. */
export type McpCommand = (call: CommandCall) => Promise<CommandAnswer | undefined>;

const lookMs = 30_000;
const maxListed = 30;
const maxLineLength = 300;

export function createMcpCommand(parts: {
  readonly bridge: MCPBridge;
  readonly skills: Pick<TurnSkills, "whyNot">;
  readonly store: Pick<Store, "main">;
  readonly scrub: Scrub;
  readonly order: OrderCalls;
}): McpCommand {
  const { bridge } = parts;
  const languageOf = async (session: string): Promise<Language> =>
    ((await findSession(parts.store.main, session))?.language ?? "zh") as Language;

  function list(language: Language): string {
    const mcp = mcpWords[language];
    const views = bridge.views();
    if (views.length === 0) return mcp.none;
    return [mcp.heading(views.length), ...views.map((view) => describeServer(view, language)), mcp.more].join("\n");
  }

  /** Reading is asked with the operator's rights, and not judged by rules: for owners. */
  async function look(view: McpServerView, { person, session, language }: CommandCall): Promise<string[]> {
    const mcp = mcpWords[language];
    if (person.role !== "owner") return [mcp.listForOwners];
    const { skill: of } = view.server;
    if (of !== undefined && (await parts.skills.whyNot(session, of)) !== undefined) return [mcp.ofSkill.notHere(of)];
    try {
      const signal = AbortSignal.timeout(lookMs);
      const connection = await bridge.connect(view.server.name, session, signal);
      return connection ? await describeThings(connection, signal, mcp) : [];
    } catch (error) {
      if (!(error instanceof McpFault)) throw error;
      return [mcp.unreachable(makeVisible(error.message))];
    }
  }

  async function show(view: McpServerView, call: CommandCall): Promise<string> {
    const { language } = call;
    const mcp = mcpWords[language];
    const things = await look(view, call);
    // Looking may have brought something new.
    const now = bridge.views().find(({ server }) => server.name === view.server.name) ?? view;
    const tools = now.tools.map((tool) => mcp.tool({ name: makeVisible(tool.tool), note: noteOf(tool, mcp) }));
    const refused = now.refused.map(({ name, reason }) => mcp.refused({ name: makeVisible(name), reason }));
    const heading = [describeServer(now, language), describeTransport(now.server.transport), mcp.tools];
    const lines = [...heading, ...tools.slice(0, maxListed), ...refused.slice(0, maxListed), ...things];
    return parts.scrub(lines.join("\n"));
  }

  /** First the difference with a digest of it, then the approval with that digest: it covers exactly the shown text. */
  async function approve(view: McpServerView, digest: string | undefined, call: CommandCall): Promise<string> {
    const mcp = mcpWords[call.language];
    if (view.state === "unapproved") return admit(view, digest, call);
    const held = view.tools.filter((tool) => tool.state === "quarantined");
    if (held.length === 0) return mcp.nothingWaits(view.server.name);
    const meant = held.find(({ pendingHash }) => shortHash(pendingHash) === digest);
    if (meant) {
      const approved = await bridge.approve(view.server.name, [meant.pendingHash], call.person.id);
      return approved.length > 0 ? mcp.approved(approved.map(makeVisible)) : mcp.staleDigest;
    }
    if (digest !== undefined && !held.some(({ tool }) => tool === digest)) return mcp.staleDigest;
    const language = await languageOf(call.session);
    return held
      .filter(({ tool }) => digest === undefined || tool === digest)
      .map((one) => {
        const heading = one.definition
          ? mcp.changedHeading(makeVisible(one.tool))
          : mcp.newHeading(makeVisible(one.tool));
        const difference = describeDifference(one);
        // An approval is for a text that was read, and this cannot be read here.
        if (measurePayload(difference) > maxAsked.call)
          return [heading, mcp.tooLongToShow(view.server.name)].join("\n");
        const how = mcp.howToApprove({ server: view.server.name, digest: shortHash(one.pendingHash) });
        return [heading, showPayload(difference, language), how].join("\n");
      })
      .join("\n\n");
  }

  /** The same for an entry of the project's file, shown as it is written. */
  async function admit({ server }: McpServerView, digest: string | undefined, call: CommandCall): Promise<string> {
    const mcp = mcpWords[call.language];
    const { project } = server;
    if (project === undefined) return mcp.nothingWaits(server.name);
    if (digest !== undefined) {
      if (digest !== shortHash(project.digest)) return mcp.staleDigest;
      const approved = await bridge.approve(server.name, [project.digest], call.person.id);
      return approved.length > 0 ? mcp.approved(approved) : mcp.staleDigest;
    }
    const heading = mcp.projectEntry(server.name);
    if (measurePayload(project.entry) > maxAsked.call) return [heading, mcp.tooLongToShow(server.name)].join("\n");
    const how = mcp.howToApprove({ server: server.name, digest: shortHash(project.digest) });
    return [heading, showPayload(project.entry, await languageOf(call.session)), how].join("\n");
  }

  function order(given: JsonObject, say: (words: McpWords) => string, call: CommandCall): Promise<undefined> {
    return parts.order(call, [{ name: "mcp_read", arguments: given }], (_words, language) => say(mcpWords[language]));
  }

  function read(server: string, uri: string, call: CommandCall): Promise<undefined> {
    return order({ server, uri }, ({ readOrder }) => readOrder({ server, uri }), call);
  }

  function usePrompt(server: string, rest: string, call: CommandCall): Promise<undefined> {
    const [prompt = "", ...pairs] = rest.split(/\s+(?=[\w-]+=|$)/).filter((part) => part !== "");
    const given = Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    );
    const filled = pairs.length > 0 ? { arguments: given } : {};
    return order({ server, prompt, ...filled }, ({ promptOrder }) => promptOrder({ server, prompt }), call);
  }

  return async (call) => {
    await bridge.refresh();
    const mcp = mcpWords[call.language];
    const [first = "", second = "", ...more] = call.rest.split(/\s+/);
    if (first === "") return { text: list(call.language) };
    const acts = ["approve", "read", "prompt", "login", "logout"];
    const name = acts.includes(first) ? second : first;
    if (name === "") return { text: mcp.usage };
    const view = bridge.views().find(({ server }) => server.name === name);
    if (!view) return { text: mcp.unknown(makeVisible(name)) };
    try {
      switch (first) {
        case "approve":
          if (call.person.role !== "owner") return tellAs("denied", call.language, mcp.ownerOnly);
          return { text: await approve(view, more[0], call) };
        case "login":
        case "logout":
          return { text: await changeLogin(bridge, { act: first, server: name, pasted: more[0] }, call) };
        case "read":
          return more[0] === undefined ? { text: mcp.usage } : await read(name, more[0], call);
        case "prompt":
          return more[0] === undefined ? { text: mcp.usage } : await usePrompt(name, more.join(" "), call);
        default:
          return { text: await show(view, call) };
      }
    } catch (error) {
      if (!(error instanceof McpFault)) throw error;
      return { text: mcp.failedRead(makeVisible(describeError(error))) };
    }
  };
}

function describeServer(view: McpServerView, language: Language): string {
  const { server, tools } = view;
  const held = tools.filter((tool) => tool.state !== "trusted").length;
  const about = { name: server.name, state: describeState(view, language), tools: tools.length - held, held };
  const mcp = mcpWords[language];
  return `${mcp.server(about)}${server.project === undefined ? "" : mcp.ofProject}${server.skill === undefined ? "" : mcp.ofSkill.of(server.skill)}`;
}

function noteOf(
  { definition, state, withdrawn }: McpServerView["tools"][number] & { definition?: unknown },
  mcp: McpWords,
): string {
  if (state === "corrupt") return mcp.corrupt;
  if (state === "quarantined") return definition === undefined ? mcp.fresh : mcp.changed;
  return withdrawn ? mcp.withdrawn : mcp.trusted;
}

async function describeThings(connection: McpConnection, signal: AbortSignal, mcp: McpWords): Promise<string[]> {
  const resources = connection.has.resources ? await connection.listResources({ signal }) : [];
  const templates = connection.has.resources ? await connection.listResourceTemplates({ signal }) : [];
  const prompts = connection.has.prompts ? await connection.listPrompts({ signal }) : [];
  const line = (...texts: readonly string[]): string =>
    `  ${makeVisible(
      texts
        .filter((text) => text !== "")
        .join("  ")
        .slice(0, 4 * maxLineLength),
    )
      .replaceAll(/\s*\n\s*/g, " ")
      .slice(0, maxLineLength)}`;
  return [
    ...(resources.length + templates.length > 0 ? [mcp.resources] : []),
    ...resources.slice(0, maxListed).map(({ uri, name }) => line(uri, name)),
    ...templates.slice(0, maxListed).map(({ uriTemplate, name }) => line(uriTemplate, name)),
    ...(prompts.length > 0 ? [mcp.prompts] : []),
    ...prompts
      .slice(0, maxListed)
      .map(({ name, arguments: wanted, description }) =>
        line(name, wanted.map((one) => (one.required ? `${one.name}=` : `[${one.name}=]`)).join(" "), description),
      ),
  ];
}

/** `/mcp login` and `/mcp logout`: of owners, and in private, as the person who opens the address decides who she is there. */
async function changeLogin(
  bridge: Pick<MCPBridge, "login" | "logout">,
  wanted: { readonly act: "login" | "logout"; readonly server: string; readonly pasted: string | undefined },
  { message, person, language }: CommandCall,
): Promise<string> {
  const { act, pasted, server } = wanted;
  const mcp = mcpWords[language];
  const mcpLogin = mcp.login;
  if (person.role !== "owner") return mcp.ownerOnly;
  if (act === "logout")
    return (await bridge.logout(server, person.id)) ? mcpLogin.out(server) : mcpLogin.wasOut(server);
  if (message.chatKind !== "private") return mcpLogin.privateOnly;
  const answer = await bridge.login(server, person.id, pasted === undefined ? undefined : readPastedRedirect(pasted));
  switch (answer?.kind) {
    case "open": {
      const { host, redirectUrl, url } = answer;
      return [mcpLogin.open({ server, host }), fence(url), mcpLogin.back({ server, redirectUrl })].join("\n");
    }
    case "done":
      return mcpLogin.done(answer.server);
    case "refused":
      return mcpLogin.refused({ server, reason: makeVisible(answer.reason) });
    case undefined:
      return mcp.unknown(server);
  }
}
