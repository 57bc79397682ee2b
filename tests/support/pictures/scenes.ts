import type { ModelScript } from "../kurisu-process/scripted-model.ts";
import { callTools, lastWords, resultsOfThisTurn } from "../kurisu-process/scripted-model.ts";

/** What is said in the pictures, and by whom. */
export interface Scene {
  readonly language: "zh" | "en";
  readonly owner: string;
  readonly stranger: { readonly name: string; readonly says: string };
  readonly group: { readonly title: string; readonly lines: readonly (readonly [name: string, text: string])[] };
  readonly notes: string;
  readonly question: string;
  readonly answer: string;
  readonly task: string;
  readonly todo: string;
  readonly reminder: string;
  readonly asked: string;
  readonly said: string;
}

export const scenes: Readonly<Record<"zh" | "en", Scene>> = {
  zh: {
    language: "zh",
    owner: "林溯",
    stranger: { name: "阿泽", says: "你好，苏遥让我来问问" },
    group: {
      title: "海马体组 · LFP",
      lines: [
        ["苏遥", "图 3 的配色又被说了"],
        ["林溯", "换成色盲友好的那套吧"],
        ["", "viridis 就行。坐标轴的单位也顺手补上，上次漏了 mV。"],
      ],
    },
    notes: "周报还没发\nCA1 的 spike 分选要重跑，阈值太低\n图 3 换配色\n还苏遥的移液枪\n",
    question: "CA1 那段录音里 200 Hz 附近的是什么？",
    answer:
      "大概率是**尖波涟漪**（sharp-wave ripple）。\n\n- 频率落在 150–250 Hz\n- 只出现在安静的时候\n- 每次 50 ms 左右，和你标的时间对得上\n\n要确认的话，看同一时刻的尖波有没有反相。……别用肉眼数，我可不会替你的眼睛负责。",
    task: "把 notes.txt 里的事整理成 todo.md",
    todo: "- [ ] 把周报发给教授（周五前）\n- [ ] 重跑 CA1 的 spike 分选，阈值 4.5 σ\n- [ ] 图 3 换成色盲友好的配色\n- [ ] 还苏遥的移液枪\n",
    reminder: "组会，带上图 3",
    asked: "今天有什么在等我？",
    said: "有一件：**todo.md** 写好了，等你点头。另外组会的提醒在明天早上。\n\n……我可没有特意帮你记着，只是顺手。",
  },
  en: {
    language: "en",
    owner: "Lin",
    stranger: { name: "Alex", says: "Hi, Su told me to ask here" },
    group: {
      title: "Hippocampus group",
      lines: [
        ["Su", "They complained about the colours of figure 3 again"],
        ["Lin", "Let us take the colour-blind friendly set"],
        ["", "Viridis will do. And add the unit on the axis while you are at it: last time the mV was missing."],
      ],
    },
    notes:
      "weekly report not sent\nrerun spike sorting of CA1, threshold too low\nfigure 3: other colours\ngive Su the pipette back\n",
    question: "What is that at 200 Hz in the CA1 recording?",
    answer:
      "Most likely a **sharp-wave ripple**.\n\n- It lies between 150 and 250 Hz\n- It shows up only at rest\n- Each lasts about 50 ms, as you marked\n\nTo be sure, check whether the sharp wave is inverted at the same moment. And do not count them by eye. I will not vouch for your eyes.",
    task: "Turn what is in notes.txt into todo.md",
    todo: "- [ ] Send the weekly report (before Friday)\n- [ ] Rerun spike sorting of CA1, threshold 4.5 σ\n- [ ] Figure 3 in colour-blind friendly colours\n- [ ] Give Su the pipette back\n",
    reminder: "Group meeting, bring figure 3",
    asked: "What is waiting for me today?",
    said: "One thing: **todo.md** is ready and waits for your approval. And the group meeting is tomorrow morning.\n\nIt is not as if I kept it in mind for you. It was just there.",
  },
};

/** The model of the scene: it reads the notes, then wants to write the list. */
export function scriptScene(scene: Scene): ModelScript {
  return (request) => {
    const said = lastWords(request);
    if (said.includes(scene.question)) return { content: scene.answer };
    if (said.includes(scene.asked)) return { content: scene.said };
    if (!said.includes(scene.task)) return { content: "…" };
    const read = callTools({ name: "file_read", arguments: { path: "inbox/notes.txt" } });
    const write = callTools({ name: "file_write", arguments: { path: "todo.md", content: scene.todo, mode: "write" } });
    return [read, write][resultsOfThisTurn(request).length] ?? { content: "…" };
  };
}
