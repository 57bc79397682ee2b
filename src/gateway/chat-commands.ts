import type { Clock } from "../core/clock.ts";
import { makeVisible } from "../core/persona/show-payload.ts";
import type { Words } from "../core/words/dictionary.ts";
import { appendAudit } from "../store/queries/audit.ts";
import { listQuestionsShownIn } from "../store/queries/question-prompts.ts";
import { placeOf } from "../tools/may-decide.ts";
import { listDecidedQuestions, listOpenQuestions, type Question } from "../store/queries/questions.ts";
import { findTodoList } from "../store/queries/todos.ts";
import { listTurns } from "../store/queries/turns.ts";
import { findSessionMode, startNewConversation } from "../store/queries/sessions.ts";
import { listLivingTasks } from "../store/queries/tasks.ts";
import type { SessionSkills } from "../skills/session-skills.ts";
import type { Store } from "../store/open-store.ts";
import type { TurnInput } from "../agents/types.ts";
import type { Person } from "../tools/types.ts";
import type { Workspace } from "../tools/workspace/types.ts";
import { readMode } from "../tools/session-mode.ts";
import type { Access } from "./access.ts";
import type { Roles } from "./find-role.ts";
import { createTrustPeople } from "./trust-people.ts";
import type { Tasks } from "./turns/tasks.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { createChooseSkills } from "./choose-skills.ts";
import { createPlanMode } from "./plan-mode.ts";
import { createPreferenceCommands } from "./preferences/preference-commands.ts";
import type { ParkedTurns } from "./approvals/parked-turns.ts";
import { describeTodoList } from "./describe-todo-list.ts";
import type { KillSwitch } from "./oversight/kill-switch.ts";
import { describeUsage } from "./oversight/describe-usage.ts";
import type { Budget } from "../agents/budget.ts";
import { listUsage } from "../store/queries/usage.ts";
import { describeProof } from "./oversight/describe-proof.ts";
import { findProof } from "./oversight/find-proof.ts";
import type { McpCommand } from "./mcp/mcp-command.ts";
import type { GrantCommands } from "./approvals/grant-commands.ts";
import type { WorldlineCommands } from "./worldlines/worldline-commands.ts";

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
  readonly skills: Pick<SessionSkills, "list" | "choose">;
  readonly mcp: McpCommand;
  readonly abortTurn: (session: string) => boolean;
  readonly isBusy: (session: string) => boolean;
  readonly describeModel: () => string;
  readonly describeSandbox: (words: Words) => string;
  readonly workspace: Pick<Workspace, "restore">;
  readonly killSwitch: KillSwitch;
  readonly budget: Pick<Budget, "look">;
  readonly zone: string;
  readonly clock: Clock;
}): RunCommand {
  const { store, access, parked, worldlines, clock } = parts;
  const mode = createPlanMode({ store });
  const trusting = createTrustPeople(parts);
  const chooseSkills = createChooseSkills(parts);
  const preferences = createPreferenceCommands({ store, clock });

  async function cancelOpen(session: string, person: Person, cause: "stop" | "new"): Promise<readonly string[]> {
    const open = await listOpenQuestions(store.main, session);
    const mine = open.filter((question) => question.asker === person.id || person.role === "owner");
    const ended: Question[] = [];
    for (const question of mine) if (await parked.end(question, cause, person.id)) ended.push(question);
    return ended.map((question) => question.code);
  }

  /** Takes back every yes that was not acted on yet. Answers the codes. */
  async function takeBackAnswers(session: string): Promise<readonly string[]> {
    const codes: string[] = [];
    // Sub-agents, and turns that wait for some, have ended already, or are somebody else's.
    const parkedTurns = (await listTurns(store.main, ["parked"], session)).filter(
      ({ kind, waiting }) => kind === "chat" && waiting === null,
    );
    for (const turn of parkedTurns) {
      const question = (await listDecidedQuestions(store.main, turn.id)).at(-1);
      if (question === undefined || (await findOpenQuestionOf(session, turn.id)) !== undefined) continue;
      if (await parked.takeBack(question)) codes.push(question.code);
    }
    return codes;
  }

  async function findOpenQuestionOf(session: string, turn: string): Promise<Question | undefined> {
    return (await listOpenQuestions(store.main, session)).find((question) => question.turn === turn);
  }

  /** Aborts what runs and ends what waits. */
  async function dropWork(
    { session, person }: CommandCall,
    cause: "stop" | "new",
  ): Promise<{ readonly aborted: boolean; readonly codes: readonly string[] }> {
    const busy = parts.abortTurn(session);
    // Before the questions: nobody may go on because of the end of what they wait for.
    const { stopped, closed } = await parts.tasks.stopAll(session, person, cause);
    const taken = await takeBackAnswers(session);
    const cancelled = await cancelOpen(session, person, cause);
    for (const question of closed) await parked.showOutcome(question);
    return { aborted: stopped > 0 || busy, codes: [...taken, ...closed.map(({ code }) => code), ...cancelled] };
  }

  async function stopEverything({ person, session, words }: CommandCall): Promise<CommandAnswer> {
    if (person.role !== "owner") return { text: words.access.ownerOnly };
    const texts = words.oversight.pause;
    return { text: (await parts.killSwitch.pull(person, session)) ? texts.done : texts.already };
  }

  async function resume({ person, rest, words }: CommandCall): Promise<CommandAnswer> {
    if (person.role !== "owner") return { text: words.access.ownerOnly };
    const drop = rest.toLowerCase() === "drop";
    const count = await parts.killSwitch.release(person, drop);
    const texts = words.oversight.pause;
    if (count === undefined) return { text: texts.notPaused };
    return { text: drop ? texts.resumedWithout(count) : texts.resumed(count) };
  }

  async function stop(call: CommandCall): Promise<CommandAnswer> {
    if (/^(?:all|全部|すべて)$/i.test(call.rest)) return stopEverything(call);
    const { aborted, codes } = await dropWork(call, "stop");
    const { words } = call;
    if (!aborted && codes.length === 0) return { text: words.turn.nothingToStop };
    const cancelled = codes.length > 0 ? words.decision.cancelledByStop(codes) : "";
    return { text: `${words.turn.stopped}${cancelled}` };
  }

  async function startOver(call: CommandCall): Promise<CommandAnswer> {
    const { codes } = await dropWork(call, "new");
    await startNewConversation(store.main, call.session);
    const cancelled = codes.length > 0 ? call.words.decision.cancelledByStop(codes) : "";
    return { text: `${call.words.turn.newConversation}${cancelled}` };
  }

  async function showStatus({ session, words }: CommandCall): Promise<CommandAnswer> {
    const open = await listQuestionsShownIn(store.main, session);
    const granted = await parts.grants.count(session);
    const texts = words.command;
    const minutes = (question: Question) => Math.max(1, Math.ceil((question.deadline - clock.now()) / 60_000));
    const items = open.map(
      (question) =>
        texts.statusOpenItem({
          code: question.code,
          summary: question.calls.map((call) => `${call.tool}: ${makeVisible(call.summary)}`).join("; "),
          minutes: minutes(question),
        }) + describeProgress(question, session, words),
    );
    const mode = readMode(await findSessionMode(store.main, session));
    const pause = await parts.killSwitch.find();
    const lines = [
      ...(pause ? [words.oversight.pause.status({ by: pause.name, time: showTime(pause.since) })] : []),
      texts.statusModel(parts.describeModel()),
      texts.statusSandbox(parts.describeSandbox(words)),
      ...(mode.kind === "plan" ? [words.mode.status(mode.paths)] : []),
      parts.isBusy(session) ? texts.statusBusy : texts.statusIdle,
      ...(await describeTasks(session, words)),
      ...(granted > 0 ? [words.approval.statusGrants(granted)] : []),
      ...(items.length > 0 ? [texts.statusOpenHeading(items.length), ...items] : [texts.statusNoneOpen]),
    ];
    return { text: lines.join("\n") };
  }

  function showTime(at: number): string {
    const style = { timeZone: parts.zone, dateStyle: "short", timeStyle: "short" } as const;
    return new Intl.DateTimeFormat("sv-SE", style).format(at);
  }

  async function describeTasks(session: string, { command }: Words): Promise<readonly string[]> {
    const open = await listOpenQuestions(store.main, session);
    const tasks = await listLivingTasks(store.main, session);
    const items = tasks.map(({ background, id, input }) => {
      const { agent, text } = JSON.parse(input) as TurnInput;
      const code = open.find(({ turn }) => turn === id)?.code;
      return command.statusTask({
        agent: agent?.id ?? "",
        what: makeVisible(text.slice(0, 80)).replaceAll(/\s+/g, " "),
        background,
        ...(code !== undefined && { code }),
      });
    });
    return items.length === 0 ? [] : [command.statusTasksHeading(items.length), ...items];
  }

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

  /** Puts back what file_delete took away: the last thing, or the one that is named. */
  async function undo({ session, person, words, rest }: CommandCall): Promise<CommandAnswer> {
    const restored = await parts.workspace.restore(session, rest === "" ? undefined : rest);
    const texts = words.command;
    switch (restored.kind) {
      case "empty":
        return { text: texts.trashEmpty };
      case "unknown":
        return { text: texts.trashHas(restored.known.map((item) => `${item.id}  ${makeVisible(item.path)}`)) };
      case "occupied":
        return { text: texts.undoOccupied(makeVisible(restored.path)) };
      case "failed":
        return { text: texts.undoFailed(makeVisible(restored.error)) };
      case "restored":
        break;
    }
    const { id, path } = restored;
    await appendAudit(store.main, {
      actor: person.id,
      action: "file.restored",
      session,
      detail: { trash: id, path },
      now: clock.now(),
    });
    return { text: texts.undone(makeVisible(path)) };
  }

  return async (name, call) => {
    // In a group a guest may look, but not take the others' work away.
    if (call.person.role === "guest" && !["start", "help", "status", "proof"].includes(name))
      return { text: call.words.access.ownerOnly };
    switch (name) {
      case "start":
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

/** How far a question that is not on the usual terms has come, as seen from a chat. */
function describeProgress(question: Question, session: string, { approval }: Words): string {
  const needed = question.terms?.votes ?? 1;
  const votes = needed > 1 ? approval.statusVotes({ count: question.votes.length, needed }) : "";
  return `${votes}${placeOf(question, session) === "own-chat" ? approval.statusAtOwner : ""}`;
}

/** `/stop now` → name and rest; undefined = no command. Approval words such as /confirm are read before. */
export function readCommand(text: string): { readonly name: string; readonly rest: string } | undefined {
  const match = /^\/([a-z][a-z0-9_]{0,31})(?:\s+([\s\S]*))?$/i.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), rest: (match[2] ?? "").trim() };
}
