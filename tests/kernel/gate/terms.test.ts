import { describe, expect, it } from "vitest";
import { defaultTerms, areAsStrict, meetTerms } from "../../../src/kernel/gate/approval-terms.ts";
import type { ApprovalTerms } from "../../../src/kernel/gate/types.ts";

const terms = (more: Partial<ApprovalTerms>): ApprovalTerms => ({ ...defaultTerms, ...more });

const lists: readonly (readonly string[] | undefined)[] = [
  undefined,
  ["owner"],
  ["trusted"],
  ["a:1"],
  ["a:1", "a:2"],
  ["a:2", "owner"],
];
const all = lists.flatMap((approvers) =>
  [1, 2].flatMap((votes) =>
    [true, false].flatMap((askerMayApprove) =>
      (["chat", "owner"] as const).map((ask) =>
        terms({ ...(approvers && { approvers }), votes, askerMayApprove, ask }),
      ),
    ),
  ),
);

describe("an approval on these terms is enough for those", () => {
  it.each<[Partial<ApprovalTerms>, Partial<ApprovalTerms>, boolean]>([
    [{}, {}, true],
    [{ votes: 2 }, { votes: 2 }, true],
    [{ votes: 3 }, { votes: 2 }, true],
    [{ votes: 1 }, { votes: 2 }, false],
    [{ askerMayApprove: false }, { askerMayApprove: false }, true],
    [{ askerMayApprove: false }, {}, true],
    [{}, { askerMayApprove: false }, false],
    [{ ask: "owner" }, { ask: "owner" }, true],
    [{ ask: "owner" }, {}, true],
    [{}, { ask: "owner" }, false],
    [{ approvers: ["a:1"] }, { approvers: ["a:1", "a:2"] }, true],
    [{ approvers: ["a:1", "a:2"] }, { approvers: ["a:1", "a:2"] }, true],
    [{ approvers: ["a:1", "a:3"] }, { approvers: ["a:1", "a:2"] }, false],
    [{ approvers: ["a:1"] }, { approvers: ["a:2"] }, false],
    [{ approvers: ["a:1"] }, {}, true],
    [{}, { approvers: ["a:1"] }, false],
    // Whoever may approve by the usual terms is none of the named ones, whatever these are called.
    [{}, { approvers: ["owner", "trusted", "?", ""] }, false],
    [{ votes: 2, ask: "owner" }, { votes: 2, askerMayApprove: false, ask: "owner" }, false],
  ])("%j for %j: %s", (given, wanted, enough) => {
    expect(areAsStrict(terms(given), terms(wanted))).toBe(enough);
  });

  it("an approval is enough on the same terms, and one on combined terms is enough for each of them", () => {
    for (const one of all) {
      expect(areAsStrict(one, one)).toBe(true);
      for (const other of all) {
        const both = meetTerms(one, other);
        const apart =
          one.approvers && other.approvers && !one.approvers.some((name) => other.approvers?.includes(name));
        const enough = [areAsStrict(both, one), areAsStrict(both, other)];
        // Nobody is in both lists: no yes is enough for both, and an owner's is asked for.
        expect(apart ? both.approvers : enough).toEqual(apart ? ["owner"] : [true, true]);
      }
    }
  });
});

describe("terms that satisfy both", () => {
  it.each<[Partial<ApprovalTerms>, Partial<ApprovalTerms>, ApprovalTerms]>([
    [{}, {}, defaultTerms],
    [{ votes: 3 }, { votes: 2 }, terms({ votes: 3 })],
    [{ votes: 1 }, { votes: 2 }, terms({ votes: 2 })],
    [{ askerMayApprove: false }, {}, terms({ askerMayApprove: false })],
    [{}, { askerMayApprove: false }, terms({ askerMayApprove: false })],
    [{ ask: "owner" }, {}, terms({ ask: "owner" })],
    [{}, { ask: "owner" }, terms({ ask: "owner" })],
    [{ approvers: ["a:1"] }, {}, terms({ approvers: ["a:1"] })],
    [{}, { approvers: ["a:1"] }, terms({ approvers: ["a:1"] })],
    [{ approvers: ["a:1", "a:2"] }, { approvers: ["a:2", "a:3"] }, terms({ approvers: ["a:2"] })],
    [{ approvers: ["a:1"] }, { approvers: ["a:2"] }, terms({ approvers: ["owner"] })],
  ])("%j and %j", (one, other, both) => {
    expect(meetTerms(terms(one), terms(other))).toEqual(both);
  });
});
