export const explanations = "scripts/release/audit-explained.json";

/**
 * One line about the report. `explained` maps an advisory's id to the reason why it does not concern Kurisu; an advisory without one
 * throws.
 */
export function judgeAudit(report, explained) {
  if (report.vulnerabilities === undefined) {
    const reason = String(report.message ?? report.error?.summary ?? "no report").replace(/\s+-? ?\S+:\/\/\S+/g, "");
    return { line: `not audited: the registry answered "${reason}"`, report: { audited: false, reason } };
  }
  const found = new Map();
  for (const { via } of Object.values(report.vulnerabilities))
    for (const one of via.filter((cause) => typeof cause === "object"))
      found.set(
        String(one.url ?? one.source)
          .split("/")
          .at(-1),
        one,
      );
  const unexplained = [...found].filter(([id]) => explained[id] === undefined);
  if (unexplained.length > 0) {
    const lines = unexplained.map(([id, { name, title, severity }]) => `${id} (${severity}) in ${name}: ${title}`);
    throw new Error(
      `npm audit found ${lines.length} advisories without an explanation:\n${lines.join("\n")}\n` +
        `  What to do: update the package, or explain the id in ${explanations}.`,
    );
  }
  const line = found.size === 0 ? "no known advisory" : `${found.size} advisories, all explained in ${explanations}`;
  return { line, report: { audited: true, explained, ...report } };
}
