import type { Words } from "../../core/words/dictionary.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Choice } from "../../channels/types.ts";

/** The buttons of a prompt; the first counts the yeses where it needs several. */
export function buildChoices(
  { id, terms, votes }: Question,
  { approval, question }: Words,
  canPreview: boolean,
): readonly Choice[] {
  const needed = terms?.votes ?? 1;
  const approve = needed > 1 ? approval.voteButton({ count: votes.length, needed }) : question.approveButton;
  return [
    { label: approve, data: `a:${id}:y`, style: "approve" },
    ...(canPreview ? [{ label: question.previewButton, data: `a:${id}:p`, style: "plain" } as const] : []),
    { label: question.rejectButton, data: `a:${id}:n`, style: "reject" },
  ];
}
