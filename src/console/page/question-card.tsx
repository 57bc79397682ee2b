import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type {
  DecisionRequest,
  GrantWish,
  PreviewRequest,
  QuestionView,
  RefusedDecision,
} from "../views/question-views.ts";
import { callServer, type ServerAnswer } from "./call-server.ts";
import { describeCalls, describeEnd, namePlatform } from "./describe-question.ts";
import { CheckIcon, CrossIcon, WarningIcon } from "./icons.tsx";
import { CallEffect } from "./question-calls.tsx";
import { PreviewResult } from "./question-preview.tsx";
import { readShortcut } from "./shortcuts.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** A key right after the focus may be meant for what had it before. */
const keyDelayMs = 400;

/**
 * A question with the calls that an answer is about, or one line once it has ended. `now` is the server's time; `isStale` = there is no
 * connection. `onDecided` gets the question as the server has it.
 */
export function QuestionCard({
  words,
  question,
  time,
  now,
  isStale,
  onDecided,
}: {
  readonly words: PageWords;
  readonly question: QuestionView;
  readonly time: ShowTime;
  readonly now: number;
  readonly isStale: boolean;
  readonly onDecided: (question: QuestionView | undefined) => void;
}) {
  const card = useRef<HTMLElement>(null);
  const isFocused = useSignal(false);
  const focusedAt = useSignal(0);
  const sending = useSignal<"decision" | "preview" | undefined>(undefined);
  const refusal = useSignal("");
  const left = useSignal<ReadonlySet<number>>(new Set());
  const { calls, code, votes } = question;
  const isOpen = question.state === "open";
  const isOver = isOpen && now >= question.deadline;
  const isOff = isStale || sending.value !== undefined || isOver;
  const numbers = calls.flatMap((_, index) => (left.value.has(index + 1) ? [] : [index + 1]));
  const mayApprove = question.yours && !votes.yours && numbers.length > 0;

  const shown = calls.map(({ call, hash }) => ({ call, hash }));
  const isTrying = question.preview?.kind === "running";

  async function decide(decision: DecisionRequest["decision"], grant?: GrantWish): Promise<void> {
    if (isOff || !isOpen || (decision === "approved" && !mayApprove)) return;
    const isPart = decision === "approved" && numbers.length < calls.length;
    await send("decision", { decision, calls: shown, ...(isPart && { numbers }), ...(grant && { grant }) });
  }

  async function preview(): Promise<void> {
    if (isOff || !isOpen || !question.canPreview || isTrying) return;
    await send("preview", { calls: shown });
  }

  async function send(what: "decision" | "preview", request: DecisionRequest | PreviewRequest): Promise<void> {
    // The button is off now, and may be gone afterwards.
    if (card.current?.contains(document.activeElement) === true) card.current.focus();
    sending.value = what;
    refusal.value = "";
    const path = `/questions/${encodeURIComponent(question.id)}/${what}` as const;
    const answer = await callServer<QuestionView>("POST", path, request);
    sending.value = undefined;
    refusal.value = describeRefusal(answer, words, what);
    onDecided(answer.kind === "ok" ? answer.view : answer.kind === "refused" ? findQuestion(answer.view) : undefined);
  }

  function press(event: KeyboardEvent): void {
    const key = event.repeat ? undefined : readShortcut(event);
    if (performance.now() - focusedAt.value < keyDelayMs) return;
    if (key !== "y" && key !== "n" && key !== "p") return;
    event.preventDefault();
    void (key === "p" ? preview() : decide(key === "y" ? "approved" : "rejected"));
  }

  return (
    <article
      ref={card}
      id={question.id}
      class={`sheet ${isOpen ? "ask" : "done"} ${isFocused.value ? "focus" : ""}`}
      tabIndex={0}
      aria-label={`${code} ${describeCalls(question)}`}
      aria-busy={sending.value !== undefined}
      onKeyDown={press}
      onFocusIn={() => {
        if (!isFocused.value) focusedAt.value = performance.now();
        isFocused.value = true;
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && card.current?.contains(relatedTarget) === true)) isFocused.value = false;
      }}
    >
      {isOpen ? (
        <>
          <header>
            <span class="code">{code}</span>
            <span class="who">
              {question.asker.you ? words.questions.you : question.asker.name}
              <i class="sep" />
              {describeChat(question, words)}
            </span>
            <span class="left">{describeLeft(question, { words, time, now, isStale })}</span>
          </header>
          <Calls question={question} words={words} left={left.value} onLeave={(chosen) => (left.value = chosen)} />
          <PreviewResult preview={question.preview} time={time} now={now} words={words} />
          <div class="told" role="alert">
            {refusal.value !== "" && <p class="bad small">{refusal.value}</p>}
          </div>
          <div class="ruler" aria-hidden="true">
            <i style={{ width: `${isStale ? 0 : measureLeft(question, now)}%` }} />
          </div>
          <footer>
            {!question.yours && <p class="soft small">{words.questions.notYours}</p>}
            {votes.yours && <p class="soft small">{words.questions.voted}</p>}
            {question.yours && !votes.yours && (
              <button
                class="btn yes"
                type="button"
                disabled={isOff || !mayApprove}
                onClick={() => void decide("approved")}
              >
                {describeYes(question, numbers, sending.value === "decision", words)} <kbd>Y</kbd>
              </button>
            )}
            {question.canPreview && (
              <button class="btn" type="button" disabled={isOff || isTrying} onClick={() => void preview()}>
                {words.questions.preview.begin} <kbd>P</kbd>
              </button>
            )}
            <button class="btn no" type="button" disabled={isOff} onClick={() => void decide("rejected")}>
              {words.questions.reject} <kbd>N</kbd>
            </button>
            {question.yours && question.grants.length > 0 && (
              <details class="more">
                <summary>{words.questions.more}</summary>
                <div class="wishes">
                  {question.grants.map((grant) => (
                    <button
                      key={grant.kind}
                      class="btn sm"
                      type="button"
                      disabled={isOff || !mayApprove || numbers.length < calls.length}
                      onClick={() => void decide("approved", grant)}
                    >
                      {grant.kind === "task" ? words.questions.forTask : words.questions.forMinutes(grant.ms / 60_000)}
                    </button>
                  ))}
                </div>
                <p class="soft small">
                  {words.questions.covers([...new Set(calls.flatMap(({ pattern }) => pattern ?? []))])}
                </p>
              </details>
            )}
          </footer>
        </>
      ) : (
        <EndedLine question={question} words={words} time={time} now={now} />
      )}
    </article>
  );
}

/** One line of a question that has ended. */
export function EndedLine({
  question,
  words,
  time,
  now,
}: {
  readonly question: QuestionView;
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly now: number;
}) {
  const { calls, code, state } = question;
  const part = calls.some((call) => call.state === "rejected") && state === "approved";
  const taken = calls.flatMap((call, index) => (call.state === "rejected" ? [] : [index + 1]));
  return (
    <p class={`ended ${state}`}>
      {state === "approved" ? <CheckIcon /> : <CrossIcon />}
      <span>
        <b>
          {code} {state === "open" ? "" : words.questions.states[state]}
          {part && ` ${taken.join(", ")}`}
        </b>
        <i class="sep" />
        {describeCalls(question)}
        <i class="sep" />
        {describeEnd(question, words, time, now)}
      </span>
    </p>
  );
}

function Calls({
  question: { agent, calls, effects, votes, why, yours },
  words,
  left,
  onLeave,
}: {
  readonly question: QuestionView;
  readonly words: PageWords;
  /** The numbers of the calls that are not to be done. */
  readonly left: ReadonlySet<number>;
  readonly onLeave: (left: ReadonlySet<number>) => void;
}) {
  const canChoose = calls.length > 1 && votes.need === 1 && yours;
  const reason = why.length > 0 && (
    <p class="why">
      <WarningIcon />
      <span>{why.join(words.tag === "en" ? " " : "")}</span>
    </p>
  );
  return (
    <div class="body">
      {calls.length > 1 && reason}
      {calls.map((call, index) => {
        const number = index + 1;
        const what = (
          <>
            {call.name} <code>{call.summary}</code>
          </>
        );
        return (
          <div key={call.call} class="call">
            {canChoose ? (
              <label class="what">
                <input
                  type="checkbox"
                  checked={!left.has(number)}
                  onChange={({ currentTarget }) => {
                    const next = new Set(left);
                    if (currentTarget.checked) next.delete(number);
                    else next.add(number);
                    onLeave(next);
                  }}
                />
                <span>
                  {number}. {what}
                </span>
              </label>
            ) : (
              <p class="what">
                {calls.length > 1 && `${number}. `}
                {what}
              </p>
            )}
            {calls.length === 1 && reason}
            <CallEffect call={call} words={words} />
          </div>
        );
      })}
      {agent !== undefined && <p class="small soft">{words.questions.agent(agent)}</p>}
      {effects.length > 0 && <p class="small soft">{effects.join(words.tag === "en" ? " " : "")}</p>}
    </div>
  );
}

function describeChat({ chat }: QuestionView, words: PageWords): string {
  const platform = namePlatform(chat.platform, words);
  return chat.kind === "private" ? words.questions.private(platform) : words.questions.group(platform, chat.name);
}

function describeLeft(
  { deadline }: QuestionView,
  {
    words,
    time,
    now,
    isStale,
  }: { readonly words: PageWords; readonly time: ShowTime; readonly now: number; readonly isStale: boolean },
): string {
  if (isStale) return words.questions.until(time.short(deadline, now));
  const seconds = Math.ceil((deadline - now) / 1000);
  return seconds <= 0 ? words.questions.over : words.questions.left(Math.floor(seconds / 60), seconds % 60);
}

function measureLeft({ created, deadline }: QuestionView, now: number): number {
  return Math.min(100, Math.max(0, (100 * (deadline - now)) / (deadline - created)));
}

function describeYes(
  { calls, votes }: QuestionView,
  numbers: readonly number[],
  isSending: boolean,
  { questions }: PageWords,
): string {
  if (isSending) return questions.sending;
  if (votes.need > 1) return questions.vote(votes.have, votes.need);
  return numbers.length < calls.length ? questions.approvePart(numbers.join(", ")) : questions.approve;
}

const findQuestion = (view: unknown): QuestionView | undefined => (view as RefusedDecision | undefined)?.question;

function describeRefusal(
  answer: ServerAnswer<QuestionView>,
  { questions }: PageWords,
  what: "decision" | "preview",
): string {
  switch (answer.kind) {
    case "ok":
      return "";
    case "lost":
      return questions.notSent;
    case "refused": {
      const refused = answer.view as RefusedDecision | undefined;
      if (refused?.code === "invalid") return refused.message;
      const ofPreview = what === "preview" ? questions.preview.refusals : {};
      const told: Readonly<Record<string, string>> = { ...questions.refusals, ...ofPreview };
      return told[refused?.code ?? ""] ?? questions.notSent;
    }
  }
}
