import type { TaskView, ThoughtView, TurnCallView, TurnView } from "../views/turn-views.ts";
import { showDuration } from "./show-duration.ts";
import type { PageWords } from "./words/zh.ts";

/** Round by round: the model, the gate's verdicts, the calls. */
export function RoundPath({ turn, words }: { readonly turn: TurnView; readonly words: PageWords }) {
  const say = words.round;
  const tasksOf = (call: TurnCallView) =>
    call.agent === undefined ? turn.tasks.filter((task) => task.call === call.call) : [];
  return (
    <>
      <h3>{say.path}</h3>
      {turn.rounds.length === 0 && <p class="soft tiny">{turn.ended === undefined ? say.begins : say.nothing}</p>}
      <ol class="tree">
        {turn.rounds.map(({ calls, round, thoughts, verdicts }) => (
          <li key={round}>
            <Thoughts round={round} thoughts={thoughts} words={words} />
            {(["allow", "ask", "deny"] as const).map(
              (verdict) =>
                verdicts[verdict] > 0 && (
                  <p key={verdict} class={`in ${looks[verdict]}`}>
                    {say.verdicts[verdict](verdicts[verdict])}
                  </p>
                ),
            )}
            {calls.length > 0 && (
              <ul>
                {calls.map((call) => (
                  <>
                    <Call key={`${call.agent} ${call.call}`} call={call} words={words} />
                    {tasksOf(call).map((task) => (
                      <Task key={task.id} task={task} words={words} />
                    ))}
                  </>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

const looks = { allow: "good", ask: "wait", deny: "bad" } as const;

/** One line, and each request of a round when it took several, or one went wrong. */
function Thoughts({
  round,
  thoughts,
  words,
}: {
  readonly round: number;
  readonly thoughts: readonly ThoughtView[];
  readonly words: PageWords;
}) {
  const say = words.round;
  const ms = thoughts.reduce((all, one) => all + one.ms, 0);
  const isPlain = thoughts.every(({ end }) => end === "answered") && thoughts.length <= 1;
  return (
    <>
      <p class="leg">
        <span>
          {say.thinks}
          <i class="sep" />
          {say.time(round)}
        </span>
        {thoughts.length > 0 && <span class="ms">{showDuration(ms)}</span>}
      </p>
      {!isPlain &&
        thoughts.map(({ end, model, ms: own }, at) => (
          <p key={at} class="leg in">
            <span class="what">{model.replace(/^[\w-]+:/, "")}</span>
            <span class={`ms ${end === "failed" ? "bad" : ""}`}>
              {end === "answered" ? showDuration(own) : `${say.ends[end]} ${showDuration(own)}`}
            </span>
          </p>
        ))}
    </>
  );
}

function Call({ call, words }: { readonly call: TurnCallView; readonly words: PageWords }) {
  const { agent, argument, ms, question, reason, state, tool, verdict } = call;
  const say = words.round;
  const word = say.calls[state];
  const took = ms === undefined ? "" : showDuration(ms);
  return (
    <li class={agent === undefined ? "in" : "in deep"}>
      <p class="leg">
        <span class="what">
          {tool}
          {argument !== "" && <span class="mono"> {argument.replace(/^https:\/\//, "")}</span>}
        </span>
        <span class={`ms ${shades[state] ?? ""}`}>
          {question !== undefined && `${question} `}
          {word === "" || (took !== "" && state === "running") ? took : `${word}${took === "" ? "" : ` ${took}`}`}
        </span>
      </p>
      {verdict !== undefined && verdict !== "allow" && reason !== undefined && <p class="because">{reason}</p>}
    </li>
  );
}

const shades: Readonly<Partial<Record<TurnCallView["state"], string>>> = {
  failed: "bad",
  denied: "bad",
  rejected: "bad",
  unknown: "bad",
  waits: "wait",
  running: "wait",
};

function Task({ task, words }: { readonly task: TaskView; readonly words: PageWords }) {
  const say = words.round;
  return (
    <li class="in deep">
      <p class="leg">
        <span>
          {task.agent}
          <i class="sep" />
          {task.thoughts > 0 ? say.thought(task.thoughts) : say.states[task.state]}
        </span>
        {task.thoughts > 0 && <span class="ms">{showDuration(task.ms)}</span>}
      </p>
    </li>
  );
}
