import { spawnSync } from "node:child_process";

/** How npm is reached here: without the settings that `npm run` makes for the checkout, and without ours. */
function buildEnvironment(more) {
  const passed =
    /^(?:PATH|HOME|TMPDIR|LANG|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|\w+_proxy|npm_config_(?:registry|cache|userconfig))$/i;
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))), ...more };
}

/** Runs npm or npx in that folder and answers its end, whatever it is. */
export function runTool(tool, given, { folder, environment = {} }) {
  const { status, stdout, stderr, error } = spawnSync(tool, given, {
    cwd: folder,
    env: buildEnvironment(environment),
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 10 * 60_000,
  });
  return { ok: status === 0, stdout: stdout ?? "", stderr: error?.message ?? stderr ?? "" };
}

/** Its standard output; a failure is thrown with npm's own last lines. */
export function askTool(tool, given, options) {
  const { ok, stdout, stderr } = runTool(tool, given, options);
  if (ok) return stdout;
  const lines = `${stdout}${stderr}`.trim().split("\n").slice(-20).join("\n");
  throw new Error(`${tool} ${given.join(" ")} failed:\n${lines}\n  What to do: see that the registry can be reached.`);
}
