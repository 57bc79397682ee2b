import type { FaultyPersonaView, TrialFault } from "../../../views/trial-views.ts";
import { callServer } from "../../call-server.ts";
import type { TrialParts } from "./trial-parts.ts";

export type TrialAnswer<View> =
  | { readonly kind: "ok"; readonly view: View }
  | { readonly kind: "faulty"; readonly faults: readonly TrialFault[] }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "failed" };

/** Models take their time, above all those that run at home. */
const limitMs = 5 * 60_000;

/** Asks a route of the persona with the drafts of the page. */
export async function askTrial<View>(
  { drafts, persona }: Pick<TrialParts, "drafts" | "persona">,
  path: string,
  given: object,
): Promise<TrialAnswer<View>> {
  const body = { ...given, ...(Object.keys(drafts).length > 0 && { drafts }) };
  const answer = await callServer<View>("POST", `/personas/${encodeURIComponent(persona)}/${path}`, body, limitMs);
  if (answer.kind !== "refused") return answer.kind === "ok" ? answer : { kind: "failed" };
  const refused = (answer.view ?? {}) as Partial<FaultyPersonaView> & { readonly code?: string };
  if (answer.status === 422 && refused.faults !== undefined) return { kind: "faulty", faults: refused.faults };
  return { kind: "refused", code: refused.code ?? "", message: refused.message ?? "" };
}
