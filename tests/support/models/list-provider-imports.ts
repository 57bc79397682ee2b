import { registerHooks } from "node:module";

/**
 * A program of its own: makes models from the list in its first argument, asks the offline one if it is first, and
 * prints which provider packages were imported as one JSON line.
 */
const imported = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    const found = /^(?:@langchain\/(?:openai|anthropic)|openai|@anthropic-ai\/sdk)\b/.exec(specifier);
    if (found !== null) imported.add(found[0]);
    return next(specifier, context);
  },
});

const { ask, createTestModels } = await import("./ask-models.ts");
const models = createTestModels({ models: process.argv[2] ?? "offline" });
if (models.status()[0]?.model === "offline") await ask(models);
else await ask(models).catch(() => undefined);
console.log(JSON.stringify([...imported].sort()));
