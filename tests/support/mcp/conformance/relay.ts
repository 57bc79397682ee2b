/*
 * What the suite starts for each scenario: hands the scenario to the test that waits at the address of the first argument, and
 * ends as that says. Without an import, since it is started two dozen times at once.
 */
const [, , driver = "", serverUrl = ""] = process.argv;
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const answer = await fetch(driver, {
  method: "POST",
  body: JSON.stringify({ scenario, serverUrl, context: JSON.parse(context) as unknown }),
});
process.stdout.write(await answer.text());
process.exitCode = answer.ok ? 0 : 1;

export {};
