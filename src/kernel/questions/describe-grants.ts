import { makeVisible, showName } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { Grant } from "../../store/queries/grants.ts";
import type { GrantScope } from "../../store/queries/questions.ts";

/** The calls that a grant covers, in the wording used before and after it is given. */
export function describePattern(
  { tool, pattern }: { readonly tool: string; readonly pattern: GrantScope },
  { approval }: Pick<Words, "approval">,
): string {
  const name = showName(tool);
  switch (pattern.kind) {
    case "folder":
      return approval.folderPattern({ tool: name, folder: showName(pattern.folder) });
    case "exact":
      return approval.exactPattern({ tool: name });
  }
}

export function describeGrantEnd({ turn, expiresAt }: Grant, { approval }: Words, zone: string): string {
  if (turn !== null) return approval.untilTaskEnds;
  return approval.untilTime(formatMinute(expiresAt, zone));
}

/** `2026-11-22 21:04` */
function formatMinute(at: number, zone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(at);
}

export function describeGrants(grants: readonly Grant[], words: Words, zone: string): string {
  const { approval } = words;
  const [first] = grants;
  if (!first) return approval.grantsNone;
  const items = grants.map((grant) =>
    approval.grantItem({
      code: grant.code,
      pattern: describePattern(grant, words).trim(),
      until: describeGrantEnd(grant, words, zone),
      name: makeVisible(grant.personName),
      count: grant.uses,
    }),
  );
  return [approval.grantsHeading(grants.length), ...items, approval.grantsHowToRevoke(first.code)].join("\n");
}
