import { expect, test } from "vitest";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { embeddingsKey, startEmbeddingsServer } from "../support/models/embeddings-server.ts";
import { plainSkill } from "../support/skill-source.ts";
import { contextOf } from "../support/skill-story.ts";

const weather = plainSkill
  .replace("先查，再说。", "天气的暗号是暗号一。")
  .replace("type:", "description: 天气预报\ntype:");
const tea = plainSkill.replaceAll("weather", "tea").replaceAll("天气", "红茶");
const secret = "sk-canary-1f2e3d4c5b6a7988-search";

test("the model finds a skill by its meaning when no rule names it; a silent or dead server delays no reply", async () => {
  const server = await startEmbeddingsServer([/天气|带伞/, /红茶/]);
  const story = await startTelegramStory({
    files: { "skills/weather/skill.yaml": weather, "skills/tea/skill.yaml": tea },
    environment: { ...server.environment, TAVILY_API_KEY: secret },
    script: (request) => {
      if (!lastWords(request).includes("带伞")) return undefined;
      const [result] = resultsOfThisTurn(request);
      if (result !== undefined) {
        const { output } = JSON.parse(result) as { output: { activated: string; instructions: string } };
        return { content: `用了 ${output.activated}：${output.instructions.trim()}` };
      }
      const hint = /skills that may help: ([\w, -]+) \(/.exec(contextOf(request))?.[1];
      return hint === undefined
        ? { content: "没人提示我。" }
        : callTools({ name: "find_skill", arguments: { query: hint } });
    },
  });
  const kurisu = await story.start();
  story.say("出门要不要带伞");
  await story.hear("用了 weather：天气的暗号是暗号一。");
  story.say(`钥匙是 ${secret}，明天呢`);
  await story.hear("嗯，我在听。");
  expect(server.asked.flat().toSorted()).toEqual(
    ["出门要不要带伞", "天气: 天气预报", "红茶: ", "钥匙是 [secret]，明天呢"].toSorted(),
  );
  expect(JSON.stringify(server.asked)).not.toContain(secret);
  expect(server.refused).toEqual([]);
  const warnings = (output: string) => output.split("the endpoint for embeddings did not answer").length - 1;
  expect(warnings(kurisu.stderr())).toBe(0);

  // /new: the skill is not in by its topic any more.
  story.say("/new");
  await story.hear(/^(?!嗯，我在听).+/);
  server.be("silent");
  for (const words of ["那带伞吗", "带伞呢", "到底带不带，带伞麻烦"]) {
    story.say(words);
    await story.hear("没人提示我。");
  }
  expect(warnings(kurisu.stderr())).toBe(1);
  expect((await kurisu.stop()).code).toBe(0);

  const again = await story.start({ environment: { EMBEDDINGS_BASE_URL: "http://127.0.0.1:1/v1" } });
  for (const words of ["带伞没有", "还带伞吗"]) {
    story.say(words);
    await story.hear("没人提示我。");
  }
  expect(warnings(again.stderr())).toBe(1);
  expect(`${kurisu.stderr()}${again.stderr()}`).not.toContain(embeddingsKey);
  expect((await again.stop()).code).toBe(0);
});
