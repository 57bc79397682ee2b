import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../kurisu-process/scripted-model.ts";
import { owner, startTelegramStory } from "../kurisu-process/telegram-story.ts";
import type { FakeMessage } from "../telegram/fake-bot-types.ts";
import type { Bubble } from "./render-chat.ts";

interface ApprovalScene {
  readonly owner: string;
  readonly file: string;
  readonly before: string;
  readonly says: string;
  readonly old: string;
  readonly next: string;
  readonly done: string;
  readonly thanks: string;
  readonly answer: string;
  readonly title: string;
  readonly under: string;
  readonly approve: string;
}

export const approvalScenes: Readonly<Record<"zh" | "en", ApprovalScene>> = {
  zh: {
    owner: "林溯",
    file: "todo.md",
    before: "[ ] 把周报发给教授\n[ ] 还苏遥的移液枪\n[ ] 重跑 CA1 的 spike 分选\n[ ] 图 3 换配色\n",
    says: "周报发了，移液枪也还了，划掉吧",
    old: "[ ] 把周报发给教授\n[ ] 还苏遥的移液枪",
    next: "[x] 把周报发给教授\n[x] 还苏遥的移液枪",
    done: "划掉了，还剩两件。\n\n分选那个先做：阈值没定下来，图 3 画得再好看也是白画。……我只是陈述事实，没有在催你。",
    thanks: "谢啦，助手",
    answer: "谁是助手啊！……不客气。",
    title: "牧濑红莉栖",
    under: "机器人",
    approve: "确认",
  },
  en: {
    owner: "Lin",
    file: "todo.md",
    before:
      "[ ] Send the weekly report\n[ ] Give Su the pipette back\n[ ] Rerun spike sorting of CA1\n[ ] Figure 3: other colours\n",
    says: "The report is out and Su has her pipette, tick them off",
    old: "[ ] Send the weekly report\n[ ] Give Su the pipette back",
    next: "[x] Send the weekly report\n[x] Give Su the pipette back",
    done: "Ticked. Two are left.\n\nDo the sorting first: without a threshold the prettiest figure 3 is worth nothing. That is a statement of fact. I am not nagging.",
    thanks: "Thanks, assistant",
    answer: "Who is your assistant? ... You are welcome.",
    title: "Makise Kurisu",
    under: "bot",
    approve: "Confirm",
  },
};

function scriptApproval({ answer, done, file, next, old, says, thanks }: ApprovalScene): ModelScript {
  return (request) => {
    if (lastWords(request).includes(thanks)) return { content: answer };
    if (!lastWords(request).includes(says)) return { content: "…" };
    if (resultsOfThisTurn(request).length > 0) return { content: done };
    return callTools({ name: "file_edit", arguments: { path: `inbox/${file}`, old, new: next } });
  };
}

const toBubble = ({ entities, keyboard, text }: FakeMessage): Bubble => ({ from: "bot", text, entities, keyboard });

/** Plays a question and its approval in the real program; returns the chat before the press and after the answer. */
export async function playApproval(language: "zh" | "en"): Promise<readonly (readonly Bubble[])[]> {
  const scene = approvalScenes[language];
  const story = await startTelegramStory({
    script: scriptApproval(scene),
    environment: { KURISU_MODEL: "openai:deepseek-chat", KURISU_TIMEZONE: "Asia/Shanghai" },
  });
  const kurisu = await story.start();
  const from = { id: owner, name: scene.owner, locale: language };
  story.sendFile({ content: Buffer.from(scene.before), name: scene.file, caption: scene.says, from });
  const card = await story.fake.waitForMessage(({ keyboard }) => keyboard.length > 0, 60_000);
  const asked: Bubble = { from: "person", text: scene.says, file: scene.file };
  const waiting = story.fake.botMessages(owner).map((message) => ({ ...toBubble(message), pressed: scene.approve }));
  story.fake.press({ chat: owner, messageId: card.messageId, button: scene.approve, from });
  await story.fake.waitForMessage(({ text }) => text.includes(scene.done.slice(0, 8)), 60_000);
  story.say(scene.thanks, { from });
  await story.fake.waitForMessage(({ text }) => text.includes(scene.answer.slice(0, 8)), 60_000);
  await story.quiet();
  const after = story.fake.botMessages(owner).map(toBubble);
  const thanks: Bubble = { from: "person", text: scene.thanks };
  await kurisu.stop();
  return [
    [asked, ...waiting],
    [asked, ...after.slice(0, -1), thanks, ...after.slice(-1)],
  ];
}
