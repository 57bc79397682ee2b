// Does with the package what a person does: installs it into an empty folder and talks to Kurisu there.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { askTool } from "./npm.mjs";

/** Answers what was seen, a line each; throws when something is not as it must be. */
export function tryPackage(tarball, { version, aside }) {
  const folder = join(aside, "empty");
  mkdirSync(folder);
  const started = Date.now();
  askTool("npm", ["install", "--no-audit", "--no-fund", tarball], { folder });
  const installed = `installed into an empty folder in ${((Date.now() - started) / 1000).toFixed(0)} s`;
  const options = { folder, environment: { KURISU_MODEL: "offline", KURISU_LANGUAGE: "zh" } };
  const kurisu = (...given) => askTool("npx", ["--no-install", "kurisu", ...given], options).trim();
  const found = kurisu("--version");
  if (found !== version) throw new Error(`the installed package says that it is ${found}, and it must be ${version}`);
  const reply = kurisu("chat", "--once", "你好");
  if (!/\p{Script=Han}/u.test(reply)) throw new Error(`the installed package did not answer 你好 but: ${reply}`);
  return [installed, `kurisu --version: ${found}`, `kurisu chat --once 你好: ${reply.split("\n")[0]}`];
}
