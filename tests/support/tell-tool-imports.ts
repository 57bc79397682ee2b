import { registerHooks } from "node:module";

/** For `node --import`: tells at the end, in one JSON line on standard error, which modules of tools were imported. */
const imported = new Set<string>();
registerHooks({
  load(url, context, next) {
    const found =
      /\/src\/(?:kernel\/tools\/(?:builtin\/|(?=create-http-tool\.))|features\/[\w-]+\/(?:tools\/)?)([\w-]+)\.ts$/.exec(
        url,
      )?.[1];
    if (found !== undefined) imported.add(found);
    return next(url, context);
  },
});
process.on("exit", () => process.stderr.write(`${JSON.stringify([...imported].sort())}\n`));
