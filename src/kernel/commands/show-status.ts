import type { TurnInput } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { findPersonZone } from "../../store/queries/person-settings.ts";
import type { Store } from "../../store/open-store.ts";
import { listQuestionsShownIn } from "../../store/queries/question-prompts.ts";
import { listOpenQuestions, type Question } from "../../store/queries/questions.ts";
import { describeWaits } from "../../store/queries/outages.ts";
import { findSessionMode } from "../../store/queries/sessions.ts";
import { listLivingTasks } from "../../store/queries/tasks.ts";
import { shortenArgument } from "../tools/key-argument.ts";
import { placeOf } from "../gate/may-decide.ts";
import { readMode } from "../gate/session-mode.ts";
import type { GrantCommands } from "./grant-commands.ts";
import type { KillSwitch } from "../pause/kill-switch.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

/** /status: the configuration in use, running work, and open questions. */
export function createShowStatus(parts: {
  readonly store: Store;
  readonly grants: Pick<GrantCommands, "count">;
  readonly isBusy: (session: string) => boolean;
  readonly describeModel: (words: Words) => string;
  readonly describeSandbox: (words: Words) => string;
  readonly describeFeatures: CallHooks["status"];
  /** Changed configuration keys that wait for a restart. */
  readonly waitingKeys: () => readonly string[];
  /** Faulty configuration files, whose last good versions are in force. */
  readonly refusedFiles: () => readonly string[];
  readonly killSwitch: Pick<KillSwitch, "find">;
  readonly zone: () => string;
  readonly clock: Clock;
}) {
  const { store, clock } = parts;

  async function showStatus({ item, language, person, session, words }: CommandCall): Promise<CommandAnswer> {
    const zone = (await findPersonZone(store.main, person.id)) ?? parts.zone();
    const open = await listQuestionsShownIn(store.main, session);
    const granted = await parts.grants.count(session);
    const texts = words.command;
    const items = open.map(
      (question) =>
        texts.statusOpenItem({
          code: question.code,
          summary: question.calls.map((call) => `${call.tool}: ${shortenArgument(call.summary)}`).join("; "),
          term: words.duration(question.deadline - clock.now()),
        }) + describeProgress(question, session, words),
    );
    const mode = readMode(await findSessionMode(store.main, session));
    const pause = await parts.killSwitch.find();
    const waiting = parts.waitingKeys();
    const refused = parts.refusedFiles();
    const outage = await describeWaits(store.main, { session, item: item.id });
    const lines = [
      ...(pause ? [words.control.pause.status({ by: pause.name, time: showTime(pause.since, zone) })] : []),
      texts.statusModel(parts.describeModel(words)),
      texts.statusSandbox(parts.describeSandbox(words)),
      ...parts.describeFeatures(language),
      ...(waiting.length > 0 ? [words.control.configuration.status(waiting)] : []),
      ...(refused.length > 0 ? [words.control.configuration.refused(refused)] : []),
      ...(mode.kind === "plan" ? [words.mode.status(mode.paths)] : []),
      ...(outage ? [words.outage.statusWaiting({ count: outage.count, time: showSince(outage.since, zone) })] : []),
      // A chat that waits for a model is not busy itself.
      ...(outage?.isHere ? [] : [parts.isBusy(session) ? texts.statusBusy : texts.statusIdle]),
      ...(await describeTasks(session, words)),
      ...(granted > 0 ? [words.approval.statusGrants(granted)] : []),
      ...(items.length > 0 ? [texts.statusOpenHeading(items.length), ...items] : [texts.statusNoneOpen]),
    ];
    return { text: lines.join("\n") };
  }

  function showTime(at: number, timeZone: string): string {
    const style = { timeZone, dateStyle: "short", timeStyle: "short" } as const;
    return new Intl.DateTimeFormat("sv-SE", style).format(at);
  }

  /** For today, the time of day is enough. */
  function showSince(at: number, zone: string): string {
    const shown = showTime(at, zone);
    const [day, time = ""] = shown.split(" ");
    return showTime(clock.now(), zone).startsWith(`${day} `) ? time : shown;
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

  return showStatus;
}

/** The progress of a question with terms of its own, as seen from a chat. */
function describeProgress(question: Question, session: string, { approval }: Words): string {
  const needed = question.terms?.votes ?? 1;
  const votes = needed > 1 ? approval.statusVotes({ count: question.votes.length, needed }) : "";
  return `${votes}${placeOf(question, session) === "own-chat" ? approval.statusAtOwner : ""}`;
}
