import type { Clock } from "../../core/clock.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { findTodoList } from "../../store/queries/todos.ts";
import type { SessionSkills } from "../../skills/session-skills.ts";
import type { Store } from "../../store/open-store.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { Access } from "../people/access.ts";
import type { Roles } from "../people/find-role.ts";
import { createTrustPeople } from "./trust-people.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { createChooseSkills } from "./choose-skills.ts";
import { createPlanMode } from "./plan-mode.ts";
import { createPreferenceCommands } from "./preference-commands.ts";
import type { ParkedTurns } from "../approvals/parked-turns.ts";
import { describeTodoList } from "./describe-todo-list.ts";
import type { KillSwitch } from "../oversight/kill-switch.ts";
import { describeUsage } from "../oversight/describe-usage.ts";
import type { Budget } from "../../models/budget.ts";
import { listUsage } from "../../store/queries/usage.ts";
import { describeProof } from "../oversight/describe-proof.ts";
import { findProof } from "../oversight/find-proof.ts";
import type { MCPBridge } from "../../mcp/mcp-bridge.ts";
import type { McpCommand } from "./mcp-command.ts";
import type { GrantCommands } from "./grant-commands.ts";
import { createGreet } from "./greet.ts";
import { createShowStatus } from "./show-status.ts";
import type { PersonaWrapper } from "../../tools/persona-wrapper.ts";
import { createStopWork } from "./stop-work.ts";
import { createUndoDeletion } from "./undo-deletion.ts";
import type { WorldlineCommands } from "./worldline-commands.ts";

/** undefined = the command has answered by itself, and its row is done or in the lane. */
export type RunCommand = (name: string, call: CommandCall) => Promise<CommandAnswer | undefined>;

/** The commands people can write in a chat. They never wait for the lane: /stop must reach a turn that is stuck. */
export function createChatCommands(parts: {
  readonly store: Store;
  readonly access: Access;
  readonly roles: Roles;
  readonly parked: ParkedTurns;
  readonly tasks: Tasks;
  readonly grants: GrantCommands;
  readonly worldlines: WorldlineCommands;
  readonly skills: Pick<SessionSkills, "list" | "listDisabled" | "choose">;
  readonly mcp: McpCommand;
  readonly listServers: MCPBridge["views"];
  readonly abortTurn: (session: string) => boolean;
  readonly isBusy: (session: string) => boolean;
  readonly describeModel: () => string;
  readonly describeSandbox: (words: Words) => string;
  readonly workspace: Pick<Workspace, "restore">;
  readonly killSwitch: KillSwitch;
  readonly budget: Pick<Budget, "look">;
  readonly voice: () => Pick<PersonaWrapper, "outcome">;
  readonly zone: string;
  readonly clock: Clock;
}): RunCommand {
  const { store, access, worldlines, clock } = parts;
  const mode = createPlanMode({ store });
  const trusting = createTrustPeople(parts);
  const chooseSkills = createChooseSkills(parts);
  const { stop, resume, startOver } = createStopWork(parts);
  const showStatus = createShowStatus(parts);
  const undo = createUndoDeletion(parts);
  const greet = createGreet(parts.voice);
  const preferences = createPreferenceCommands({ store, clock });

  async function showTodoList({ session, words }: CommandCall): Promise<CommandAnswer> {
    const list = await findTodoList(store.main, session);
    return { text: describeTodoList(list?.items ?? [], words) };
  }

  async function usage({ person, words }: CommandCall): Promise<CommandAnswer> {
    const standing = await parts.budget.look(person.id);
    const rows = person.role === "owner" ? await listUsage(store.main, standing.day) : [];
    return { text: describeUsage(standing, rows, words, person.role === "owner") };
  }

  async function proof({ session, person, words }: CommandCall): Promise<CommandAnswer> {
    return { text: describeProof(await findProof(store, session), words, parts.zone, person.role !== "guest") };
  }

  async function pair({ message, person, words, rest }: CommandCall): Promise<CommandAnswer> {
    if (person.role !== "owner") return { text: words.access.ownerOnly };
    if (rest === "" && message.chatKind === "group") {
      await access.openGroup(message.address);
      return { text: words.access.groupOn };
    }
    if (rest === "") return { text: words.access.pairUsage };
    const accepted = await access.acceptCode(rest);
    if (!accepted) return { text: words.access.wrongCode };
    return {
      text: words.access.personApproved(accepted.name),
      also: { session: accepted.session, text: (theirs) => theirs.access.memberWelcome(accepted.name) },
    };
  }

  return async (name, call) => {
    // In a group a guest may look, but not take the others' work away.
    if (call.person.role === "guest" && !["start", "help", "status", "proof"].includes(name))
      return { text: call.words.access.ownerOnly };
    switch (name) {
      case "start":
        return greet(call);
      case "help":
        return { text: call.words.command.help };
      case "status":
        return showStatus(call);
      case "stop":
        return stop(call);
      case "resume":
        return resume(call);
      case "new":
      case "reset":
        return startOver(call);
      case "undo":
        return undo(call);
      case "worldline":
        return worldlines.worldline(call);
      case "dmail":
        return worldlines.dmail(call);
      case "todo":
        return showTodoList(call);
      case "skills":
        return chooseSkills(call);
      case "preferences":
      case "preference":
        return preferences(call);
      case "plan":
        return { text: await mode.plan(call.session, call.rest, call.words) };
      case "act":
        return { text: await mode.act(call.session, call.words) };
      case "usage":
        return usage(call);
      case "proof":
        return proof(call);
      case "mcp":
        return parts.mcp(call);
      case "grants":
        return parts.grants.grants(call);
      case "revoke":
        return parts.grants.revoke(call);
      case "pair":
        return pair(call);
      case "trust":
        return trusting.trust(call);
      case "untrust":
        return trusting.untrust(call);
      default:
        return { text: call.words.command.unknown(`/${name}`) };
    }
  };
}

/** `/stop now` → name and rest; undefined = no command. Approval words such as /confirm are read before. */
export function readCommand(text: string): { readonly name: string; readonly rest: string } | undefined {
  const match = /^\/([a-z][a-z0-9_]{0,31})(?:\s+([\s\S]*))?$/i.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), rest: (match[2] ?? "").trim() };
}
