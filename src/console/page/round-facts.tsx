import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { TurnQuestionView, TurnView } from "../views/turn-views.ts";
import { describeEnd, namePlatform } from "./describe-question.ts";
import { createShowAmount } from "./show-amount.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

interface FactsParts {
  readonly turn: TurnView;
  readonly words: PageWords;
}

type Fact = readonly [name: string, value: ComponentChildren, look?: string | undefined];

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value, look]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={look}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Models, cost, tokens and time. */
export function RoundFacts({ turn, words }: FactsParts) {
  const { models, sources, sums, taint, waitedMs, workMs } = turn;
  const say = words.round;
  const amount = createShowAmount(words.tag);
  const count = new Intl.NumberFormat(words.tag);
  const small = new Intl.NumberFormat(words.tag, { maximumSignificantDigits: 2 });
  const about = (text: string) => (sums?.estimated === true ? say.about(text) : text);
  const spend = (ms: number) =>
    say.duration(Math.floor(ms / 60_000), Math.floor(ms / 100) / 10 - Math.floor(ms / 60_000) * 60);
  const facts: readonly (Fact | false)[] = [
    models.length > 0 && [say.model, models.map((model) => <span key={model}>{model.replace(/^[\w-]+:/, "")}</span>)],
    sums?.cost !== undefined && [say.cost, about(sums.cost < 1 ? small.format(sums.cost) : amount.money(sums.cost))],
    sums !== undefined && [
      say.input,
      about(
        sums.cached > 0 ? say.cached(count.format(sums.input), count.format(sums.cached)) : count.format(sums.input),
      ),
    ],
    sums !== undefined && [say.output, about(count.format(sums.output))],
    [say.work, spend(workMs)],
    waitedMs > 0 && [say.waited, spend(waitedMs), "wait"],
    [say.label, say.labels[taint], taint === "untrusted" || taint === "exposed" ? "wait" : undefined],
  ];
  return (
    <>
      <Facts facts={facts.filter((fact) => fact !== false)} />
      {sources.length > 0 && <p class="from">{sources.join(say.comma)}</p>}
    </>
  );
}

/** The questions of the turn: the outcome of each, and the chats that show its card. */
export function RoundCards({ turn, words, time }: FactsParts & { readonly time: ShowTime }) {
  const say = words.round;
  const now = Date.now();
  const stateOf = (question: TurnQuestionView) => {
    const end = describeEnd(question, words, time, now);
    return question.state === "open"
      ? say.waits
      : `${words.questions.states[question.state]}${end === "" ? "" : ` ${end}`}`;
  };
  if (turn.questions.length === 0) return null;
  return (
    <>
      <h3>{say.cards}</h3>
      {turn.questions.map((question) => (
        <div key={question.id} class="card">
          <p>
            <b>{question.code}</b> <span class={question.state === "open" ? "wait" : "soft"}>{stateOf(question)}</span>
          </p>
          <Facts
            facts={[
              ...question.cards.map(({ at, platform }): Fact => [
                namePlatform(platform, words),
                at === undefined ? say.stands : say.standsSince(time.short(at, now)),
              ]),
              ...(question.state === "open" ? [[say.console, say.here] as const] : []),
            ]}
          />
        </div>
      ))}
      {turn.questions.some(({ state }) => state === "open") && <p class="soft tiny">{say.anywhere}</p>}
    </>
  );
}

/** The rows of the audit, and its conversation in numbers. */
export function RoundRecord({ turn, words }: FactsParts) {
  const { audit, chat, id } = turn;
  const say = words.round;
  const count = new Intl.NumberFormat(words.tag);
  const rows = audit && (audit.first === audit.last ? [audit.first] : [audit.first, audit.last]);
  return (
    <>
      <h3>{say.record}</h3>
      <Facts
        facts={[
          ...(rows ? [[say.audit, rows.map((row) => count.format(row)).join(" – ")] as const] : []),
          [say.number, <Copied key={id} text={id} words={words} />],
        ]}
      />
      <h3>{say.chat}</h3>
      <Facts
        facts={[
          [say.messages, count.format(chat.messages)],
          [say.remembered(turn.person), say.pieces(chat.remembered)],
          [say.grants, say.permits(chat.grants)],
        ]}
      />
    </>
  );
}

/** A number to take along: /proof, the audit and the log know it. */
function Copied({ text, words }: { readonly text: string; readonly words: PageWords }) {
  const isDone = useSignal(false);
  const say = words.round;
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      isDone.value = true;
    } catch {
      // The browser's owner forbids it; the text can be selected.
      isDone.value = false;
    }
  }
  return (
    <>
      <span class="mono">{text}</span>
      {/* A browser has no clipboard on a page that came without TLS from another machine. */}
      {globalThis.isSecureContext && (
        <button class="copy" type="button" onClick={() => void copy()}>
          {isDone.value ? say.copied : say.copy}
        </button>
      )}
    </>
  );
}
