const gate = "tests/kernel/gate";
const approvals = "tests/kernel";

/**
 * What decides whether something may happen, and what a yes is bound to: a fault in it that no test notices is a hole.
 * Beside each file the tests that are run on its faults, none of which needs a process, engine or database of its own.
 */
export const trustCore: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  /** What a call needs, and whose yes. */
  gate: {
    "src/kernel/gate/permission.ts": [
      "tests/kernel/gate/permission.test.ts",
      "tests/kernel/gate/resting-grant.test.ts",
      "tests/kernel/tools/override-tool.test.ts",
      "tests/kernel/gate/version-of-rules.test.ts",
      `${gate}/authorisation-matrix.test.ts`,
      `${gate}/rules.test.ts`,
    ],
    "src/kernel/gate/assess-call.ts": [`${gate}/assess-call.test.ts`, `${gate}/resting-grant.test.ts`],
    "src/kernel/gate/permission-checker.ts": [`${gate}/assess-call.test.ts`],
    "src/kernel/gate/resolve-current-role.ts": [`${gate}/resolve-current-role.test.ts`],
    "src/kernel/gate/session-mode.ts": [`${gate}/session-mode.test.ts`],
    "src/kernel/gate/taint-reason.ts": ["tests/kernel/gate/taint-reason.test.ts"],
    "src/kernel/gate/grant-scope.ts": ["tests/kernel/gate/grant-scope.test.ts"],
    "src/kernel/gate/approval-terms.ts": [
      "tests/kernel/gate/grant-scope.test.ts",
      `${gate}/terms.test.ts`,
      `${gate}/rules.test.ts`,
    ],
    "src/kernel/gate/network-grant.ts": ["tests/kernel/gate/grant-scope.test.ts"],
    "src/kernel/gate/may-decide.ts": [`${gate}/may-decide.test.ts`],
    "src/kernel/tools/sealed-tool.ts": [`${gate}/sealed-tool.test.ts`],
    "src/kernel/gate/always-asks.ts": [`${gate}/always-asks.test.ts`],
    "src/kernel/gate/find-rule-match.ts": [`${gate}/rules.test.ts`],
    "src/kernel/gate/match-pattern.ts": [`${gate}/fits.test.ts`],
    "src/kernel/gate/match-rule.ts": [`${gate}/fits.test.ts`],
    "src/kernel/gate/rule.ts": [`${gate}/fits.test.ts`],
    "src/kernel/gate/test-argument.ts": [`${gate}/fits.test.ts`],
    "src/core/named-addresses.ts": ["tests/core/named-addresses.test.ts"],
  },
  /** What counts as a yes. */
  grammar: {
    "src/kernel/questions/approval-words.ts": [`${approvals}/approval-words.test.ts`],
    "src/kernel/questions/read-tail.ts": [`${approvals}/approval-words.test.ts`],
    "src/kernel/questions/read-change.ts": [`${approvals}/read-change.test.ts`],
  },
  /** What the yes is for. */
  binding: {
    "src/core/canonical-json.ts": ["tests/core/canonical-json.test.ts"],
    "src/kernel/gate/call-hash.ts": ["tests/kernel/gate/call-hash.test.ts"],
    "src/kernel/questions/bind-answer.ts": [`${approvals}/bind-answer.test.ts`],
    "src/kernel/questions/bind-change.ts": [`${approvals}/bind-change.test.ts`],
    "src/kernel/questions/change-call.ts": [`${approvals}/change-call.test.ts`],
  },
  /** Which file a path means. */
  path: {
    "src/workspace/parse-workspace-path.ts": ["tests/workspace/parse-workspace-path.test.ts"],
    "src/workspace/open-folder.ts": ["tests/workspace/open-folder.test.ts"],
  },
  /** Where a request may go. */
  fetch: {
    "src/web/check-url.ts": ["tests/web/check-url.test.ts"],
    "src/web/check-address.ts": ["tests/web/check-url.test.ts"],
    "src/web/guarded-lookup.ts": ["tests/web/check-url.test.ts"],
    "src/web/guarded-dial.ts": ["tests/web/guarded-dial.test.ts", "tests/web/outbound-proxy.test.ts"],
    "src/web/guarded-fetch.ts": ["tests/web/guarded-fetch.test.ts"],
  },
};
