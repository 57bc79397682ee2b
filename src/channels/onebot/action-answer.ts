import { z } from "zod";
import { readLabel } from "../json-view.ts";

/** How a call of an action ended. Reasons are one line. */
export type ActionAnswer =
  | { readonly kind: "ok"; readonly data: unknown }
  /** The implementation says no. Codes: botuniverse/onebot-11, communication/ws.md; NapCat's 1200 may mean anything. */
  | { readonly kind: "failed"; readonly retcode: number; readonly reason: string }
  /** It was sent and never answered: the result is unknown. */
  | {
      readonly kind: "unanswered";
      readonly reason: string;
      /** The connection ended on it: the next one may be asked again. */
      readonly ended?: true;
    }
  /** It never left us. */
  | { readonly kind: "unsent"; readonly reason: string };

const answerShape = z.object({
  status: z.string(),
  retcode: z.int().catch(-1),
  data: z.unknown().optional(),
  message: z.unknown().optional(),
  wording: z.unknown().optional(),
  echo: z.unknown().optional(),
  stream: z.unknown().optional(),
});

/** An answer differs from an event by `echo` and `status`; events have no echo. */
export function isAnswer(frame: object): boolean {
  return "echo" in frame && "status" in frame;
}

export interface AnswerFrame {
  /** Undefined when it is not an echo that we could have sent. */
  readonly echo: string | undefined;
  readonly answer: ActionAnswer;
  /** More frames with the same echo follow (a download in pieces). */
  readonly more: boolean;
}

export function readAnswer(frame: object): AnswerFrame | undefined {
  const read = answerShape.safeParse(frame);
  if (!read.success) return undefined;
  const { status, retcode, data, message, wording, echo, stream } = read.data;
  const answer: ActionAnswer =
    status === "ok" || status === "async"
      ? { kind: "ok", data }
      : {
          kind: "failed",
          retcode,
          reason: `${readLabel(wording, 300) || readLabel(message, 300)} (${retcode})`.trim(),
        };
  return {
    echo: typeof echo === "string" ? echo : undefined,
    answer,
    more: stream === "stream-action" && !isLastPiece(data),
  };
}

const piece = z.object({ type: z.string() });

function isLastPiece(data: unknown): boolean {
  const type = piece.safeParse(data).data?.type;
  return type === undefined || type === "response" || type === "error";
}
