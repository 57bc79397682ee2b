import { registerHooks } from "node:module";

/**
 * A program of its own: makes models from the list in its first argument, asks the first one, and prints which clients of
 * model servers were loaded as one JSON line.
 */
const imported = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    const found = /^(undici)$|\/(chat-completions|anthropic-messages)\.ts$/.exec(specifier);
    if (found !== null) imported.add(found[1] ?? found[2] ?? "");
    return next(specifier, context);
  },
});

const { ask, createTestModels } = await import("./ask-models.ts");
const models = createTestModels({ models: process.argv[2] ?? "offline" });
await ask(models).catch(() => undefined);
console.log(JSON.stringify([...imported].sort()));
