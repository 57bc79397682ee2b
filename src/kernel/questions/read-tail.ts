import type { GrantRequest } from "../gate/make-grants.ts";

/** The text after the answer word and its code: numbers of calls, or the duration of a grant. */
export interface AnswerTail {
  readonly numbers?: readonly number[];
  readonly grant?: GrantRequest;
}

const numbers = / +[1-9]\d?(?:(?: *[,、] *| +)[1-9]\d?)*$/u;
const time = / +[1-9]\d{0,3} ?(?:(分钟|分鐘|分間|分|minutes?|mins?)|小时|小時|个小时|個小時|時間|hours?|hrs?|h)$/u;
const task = / +(?:本任务|本任務|这个任务|這個任務|this task|このタスク)$/u;

const minuteMs = 60_000;
/** An answer has at most 64 characters, and NFKC expands one to at most 18. */
const maxLength = 64 * 18;

/** Splits 「确认 K7 1 3」 into head and tail. The text is in its bare form. */
export function readTail(bare: string): { readonly head: string; readonly tail: AnswerTail } | undefined {
  if (bare.length > maxLength) return undefined;
  const listed = numbers.exec(bare);
  if (listed) {
    const written = listed[0].trim().split(/[ ,、]+/u);
    return { head: bare.slice(0, listed.index), tail: { numbers: [...new Set(written.map(Number))] } };
  }
  const timed = time.exec(bare);
  if (timed) {
    const ms = Number.parseInt(timed[0], 10) * minuteMs * (timed[1] === undefined ? 60 : 1);
    return { head: bare.slice(0, timed.index), tail: { grant: { kind: "time", ms } } };
  }
  const asked = task.exec(bare);
  return asked ? { head: bare.slice(0, asked.index), tail: { grant: { kind: "task" } } } : undefined;
}
