const gate = "tests/tools/gate";
const approvals = "tests/gateway";

/**
 * What decides whether something may happen, and what a yes is bound to: a fault in it that no test notices is a hole.
 * Beside each file the tests that are run on its faults, none of which needs a process, engine or database of its own.
 */
export const trustCore: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  /** What a call needs, and whose yes. */
  gate: {
    "src/tools/permission.ts": [
      "tests/tools/permission.test.ts",
      `${gate}/authorisation-matrix.test.ts`,
      `${gate}/rules.test.ts`,
    ],
    "src/tools/session-mode.ts": [`${gate}/session-mode.test.ts`],
    "src/tools/taint-reason.ts": ["tests/tools/taint-reason.test.ts"],
    "src/tools/grants/standing-yes.ts": ["tests/tools/grants/standing-yes.test.ts"],
    "src/tools/approval-terms.ts": ["tests/tools/grants/standing-yes.test.ts"],
    "src/tools/grants/folder-pattern.ts": ["tests/tools/grants/standing-yes.test.ts"],
    "src/tools/network-grant.ts": ["tests/tools/grants/standing-yes.test.ts"],
    "src/tools/may-decide.ts": [`${gate}/may-decide.test.ts`],
    "src/tools/are-as-strict.ts": [`${gate}/terms.test.ts`],
    "src/tools/sealed-tool.ts": [`${gate}/sealed-tool.test.ts`],
    "src/tools/rules/always-asks.ts": [`${gate}/always-asks.test.ts`],
    "src/tools/rules/find-ruling.ts": [`${gate}/rules.test.ts`],
    "src/tools/rules/match-pattern.ts": [`${gate}/fits.test.ts`],
    "src/tools/rules/match-rule.ts": [`${gate}/fits.test.ts`],
    "src/tools/rules/meet-terms.ts": [`${gate}/terms.test.ts`, `${gate}/rules.test.ts`],
    "src/tools/rules/rule.ts": [`${gate}/fits.test.ts`],
    "src/tools/rules/test-argument.ts": [`${gate}/fits.test.ts`],
    "src/core/named-addresses.ts": ["tests/core/named-addresses.test.ts"],
  },
  /** What counts as a yes. */
  grammar: {
    "src/gateway/approvals/approval-words.ts": [`${approvals}/approval-words.test.ts`],
    "src/gateway/approvals/read-tail.ts": [`${approvals}/approval-words.test.ts`],
    "src/gateway/approvals/read-change.ts": [`${approvals}/read-change.test.ts`],
  },
  /** What the yes is for. */
  binding: {
    "src/core/canonical-json.ts": ["tests/core/canonical-json.test.ts"],
    "src/tools/call-hash.ts": ["tests/tools/call-hash.test.ts"],
    "src/gateway/approvals/bind-answer.ts": [`${approvals}/bind-answer.test.ts`],
    "src/gateway/approvals/bind-change.ts": [`${approvals}/bind-change.test.ts`],
  },
  /** Which file a path means. */
  path: {
    "src/tools/workspace/parse-workspace-path.ts": ["tests/tools/workspace/parse-workspace-path.test.ts"],
    "src/tools/workspace/open-folder.ts": ["tests/tools/workspace/open-folder.test.ts"],
  },
  /** Where a request may go. */
  fetch: {
    "src/tools/web/check-url.ts": ["tests/tools/web/check-url.test.ts"],
    "src/tools/web/check-address.ts": ["tests/tools/web/check-url.test.ts"],
    "src/tools/web/guarded-lookup.ts": ["tests/tools/web/check-url.test.ts"],
    "src/tools/web/guarded-dial.ts": ["tests/tools/web/guarded-dial.test.ts"],
    "src/tools/web/guarded-fetch.ts": ["tests/tools/web/guarded-fetch.test.ts"],
  },
};
