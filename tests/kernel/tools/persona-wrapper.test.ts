import { createHash } from "node:crypto";
import { join } from "node:path";
import { array, assert, constantFrom, nat, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { createPhrasePicker } from "../../../src/core/persona/phrase-picker.ts";
import { loadPersona } from "../../../src/core/persona/load-persona.ts";
import { wordsFor } from "../../../src/core/words/words.ts";
import { markLines } from "../../../src/core/persona/mark-lines.ts";
import { makeVisible, showExcerpt, showPayload } from "../../../src/core/persona/show-payload.ts";
import type { QuestionView } from "../../../src/kernel/tools/persona-wrapper.ts";
import { createPersonaWrapper } from "../../../src/kernel/tools/persona-wrapper.ts";
import { readMarked } from "../../support/read-marked.ts";

const loaded = loadPersona(join(import.meta.dirname, "../../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
const { persona } = loaded;
const context = { chat: "cli:main", language: "zh" } as const;

const view: QuestionView = {
  ...context,
  calls: [{ tool: "shell", detail: "uname -a", place: "sandbox" }],
  sandbox: { seconds: 30, network: [] },
  code: "K7",
  until: "编号 K7，10 分钟内有效。",
};

describe("a question", () => {
  it("says what, where, its limits, how long, which code, and the two words", () => {
    const text = createPersonaWrapper(persona, () => 0).question(view);
    expect(text).toBe(
      [
        "等一下，这个要你点头。",
        "`shell`",
        "```",
        "│ uname -a",
        "```",
        "在沙箱容器里，没有网络，只读系统，最多 30 秒。",
        "编号 K7，10 分钟内有效。",
        "回复「确认」执行，「取消」放弃。",
      ].join("\n"),
    );
  });

  it.each([
    [
      "zh",
      "「确认 30分钟」「确认 本任务」：这段时间用 file_write 动 notes/ 里的文件不再问",
      "刚读过 a.example，所以要你亲口确认。由 管理员 确认。",
      "回复「确认」执行，「取消」放弃；「预览」先在副本上试；X；「改成 ……」换做法。",
    ],
    [
      "en",
      '"confirm 30 min" or "confirm this task": no more asking for file_write in notes/ that long',
      "I just read a.example, so I need to hear it from you. To be confirmed by: an owner.",
      'Reply "confirm" (「确认」) to run it, "cancel" (「取消」) to drop it; "preview" tries it on a copy first; X; "change to ..." for another way.',
    ],
    [
      "ja",
      "「承認 30分」「承認 このタスク」：その間 notes/ の file_write は聞かない",
      "さっき a.example を読んだので、本人の確認が必要です。承認するのは 管理者。",
      "「承認」（「确认」）で実行、「キャンセル」（「取消」）で中止；「プレビュー」で先にコピーの上で試す；X；「……に変えて」でやり方を変える。",
    ],
  ] as const)(
    "takes one line for why and one for all that can be said to it, in %s",
    (language, grant, why, answer) => {
      const { approval } = wordsFor(language);
      const pattern = approval.folderPattern({ tool: "file_write", folder: "notes" });
      const text = createPersonaWrapper(persona).question({
        ...view,
        language,
        preview: true,
        readSources: ["a.example"],
        why: [approval.approvers({ names: approval.roleOwner })],
        more: [approval.howToStand({ pattern }), approval.howToChange],
      });
      const lines = text.split("\n");
      expect(lines.at(-3)).toBe(why);
      expect(lines.at(-1)).toBe(answer.replace("X", grant));
      expect(lines).toHaveLength(9);
    },
  );

  it("numbers several calls, and says each place once", () => {
    const calls = [
      { tool: "shell", detail: "ls", place: "sandbox" },
      { tool: "shell", detail: "pwd", place: "sandbox" },
      { tool: "file_write", detail: "a.md（新建，7 行）", place: "workspace" },
    ] as const;
    const text = createPersonaWrapper(persona).question({ ...view, calls });
    expect(text).toContain("这 3 件事");
    expect(text).toMatch(/1\. `shell`[\s\S]*2\. `shell`[\s\S]*3\. `file_write`/);
    expect(text.match(/没有网络/g)).toHaveLength(1);
  });

  it.each([
    ["zh", "这条命令可以访问：*.example.org、pypi.org:443。", "网络只通到下面列的主机"],
    ["en", "This command can reach: *.example.org, pypi.org:443.", "network to the hosts below only"],
    ["ja", "このコマンドがアクセスできるのは：*.example.org、pypi.org:443。", "ネットワークは下のホストだけ"],
  ] as const)("names the hosts that a command may reach, in %s", (language, reach, place) => {
    const sandbox = { seconds: 30, network: ["*.example.org", "pypi.org:443"] };
    const text = createPersonaWrapper(persona).question({ ...view, language, sandbox });
    expect(text).toContain(reach);
    expect(text).toContain(place);
    expect(text).not.toMatch(/没有网络|no network|ネットワークなし/);
  });

  it("says once what several commands may reach", () => {
    const calls = ["ls", "pwd"].map((detail) => ({ tool: "shell", detail, place: "sandbox" as const }));
    const sandbox = { seconds: 30, network: ["pypi.org"] };
    const text = createPersonaWrapper(persona).question({ ...view, calls, sandbox });
    expect(text.match(/pypi\.org/g)).toHaveLength(1);
    expect(text).toContain("这些命令可以访问：pypi.org。");
  });

  it("names the asker in a group and the pages that were read", () => {
    const text = createPersonaWrapper(persona).question({ ...view, asker: "小明", readSources: ["blog.example"] });
    expect(text).toMatch(/小明.*「确认 K7」/);
    expect(text).toContain("刚读过 blog.example");
  });

  it.each(["zh", "en", "ja"] as const)("a question has everything that it needs in %s", (language) => {
    const text = createPersonaWrapper(persona).question({ ...view, language });
    for (const part of ["shell", "uname -a", "30", "K7", "「确认」", "「取消」"]) expect(text).toContain(part);
  });

  it("the name of a tool or a person does not draw anything in a question", () => {
    const calls = [{ tool: "mcp__x__`\u202E", detail: "{}", place: "network" }] as const;
    const text = createPersonaWrapper(persona).question({ ...view, calls, asker: "a\u202Eb" });
    expect(text).not.toContain("\u202E");
    expect(text).toContain("`mcp__x__'⟨U+202E⟩`");
  });
});

describe("showPayload", () => {
  const payloads = array(
    oneof(string({ unit: "binary" }), constantFrom("```", "````\n", "~~~", "\n", "`", "$HOME", "{{x}}", "。")),
    {
      maxLength: 12,
    },
  ).map((parts) => parts.join(""));

  it("keeps the payload exact, and inside its fence", () => {
    assert(
      property(payloads, (payload) => {
        const lines = showPayload(payload, "zh").split("\n");
        const fence = lines[0] ?? "";
        const end = lines.indexOf(fence, 1);
        const inside = lines.slice(1, end).join("\n");
        return readMarked(inside) === payload && /^`{3,}$/.test(fence) && !inside.includes(fence);
      }),
    );
  });

  it("shows a text with any number of backticks", () => {
    expect(showPayload("` ".repeat(200_000), "zh")).toContain("SHA-256");
  });

  it("leaves visible text alone", () => {
    const plain = 'echo "$HOME" && printf \'%s\\n\' 你好 | tee "a b.txt"\n\tこんにちは、ガ行。 नमस्ते 👨‍👩‍👧 ❤️ é ⟨x⟩';
    expect(makeVisible(plain)).toBe(plain);
    expect(showPayload(plain, "zh")).toBe(`\`\`\`\n${markLines(plain, 76)}\n\`\`\``);
  });

  it.each([
    ["rm \u202Etxt.exe", "rm ⟨U+202E⟩txt.exe"],
    ["a\u200Bb", "a⟨U+200B⟩b"],
    ["a\rb", "a⟨U+000D⟩b"],
    ["\u001B[2K", "⟨U+001B⟩[2K"],
    ["a\u00A0b\u2028c", "a⟨U+00A0⟩b⟨U+2028⟩c"],
    ["\u{E0041}", "⟨U+E0041⟩"],
    ["a\u3164b\u2800", "a⟨U+3164⟩b⟨U+2800⟩"],
    ["a\u200Db", "a⟨U+200D⟩b"],
    ["x\uFE0F", "x⟨U+FE0F⟩"],
  ])("makes what hides in %j visible, and says so", (payload, shown) => {
    expect(makeVisible(payload)).toBe(shown);
    expect(showPayload(payload, "zh")).toContain("看不见的字符");
  });

  it("never cuts what is asked; the length and the digest of a long one stand above it", () => {
    const payload = `head${"x".repeat(5_000)}\ntail`;
    const digest = createHash("sha256").update(payload).digest("hex").slice(0, 12);
    const [first = "", ...rest] = showPayload(payload, "zh").split("\n");
    expect(first).toContain(`2 行、${payload.length} 个字符，SHA-256 ${digest}`);
    expect(readMarked(rest.slice(1, -1).join("\n"))).toBe(payload);
    expect(showPayload("y".repeat(1_500), "zh")).not.toContain("SHA-256");
  });

  it("cuts long output in the middle, with its length and digest outside the fences", () => {
    const output = `head${"x".repeat(1_500)}tail`;
    const text = showExcerpt(output, "zh");
    const digest = createHash("sha256").update(output).digest("hex").slice(0, 12);
    expect(text).toMatch(/^```\n│ headx+\n[^`]*```\n（.*\n```\n│ x+\n[^`]*tail\n```$/);
    expect(text).toContain(`共 ${output.length} 个，SHA-256 ${digest}`);
    expect(showExcerpt("y".repeat(1_500), "zh")).not.toContain("SHA-256");
  });
});

describe("variants", () => {
  it("a variant does not repeat within the next two, in the same chat", () => {
    assert(
      property(array(nat(999), { minLength: 5, maxLength: 60 }), (numbers) => {
        const draws = numbers.values();
        const wrapper = createPersonaWrapper(persona, () => (draws.next().value ?? 0) / 1000);
        const said = numbers.map(() => wrapper.progress(context, "shell"));
        return said.every((text, index) => !said.slice(Math.max(0, index - 2), index).includes(text));
      }),
    );
  });

  it("alternate when there are two, and repeat when there is one", () => {
    const picker = createPhrasePicker(() => 0);
    expect([1, 2, 3, 4].map(() => picker.pick("c", "s", ["a", "b"]))).toEqual(["a", "b", "a", "b"]);
    expect([1, 2].map(() => picker.pick("c", "t", ["only"]))).toEqual(["only", "only"]);
  });

  it("each chat has its own memory of variants, and two wrappers share nothing", () => {
    const first = createPersonaWrapper(persona, () => 0);
    const opening = first.progress(context, "time");
    expect(first.progress({ ...context, chat: "other" }, "time")).toBe(opening);
    expect(createPersonaWrapper(persona, () => 0).progress(context, "time")).toBe(opening);
    expect(first.progress(context, "time")).not.toBe(opening);
  });
});

describe("outcomes", () => {
  it("a failure puts its reason below the sentence, never into it", () => {
    const wrapper = createPersonaWrapper(persona, () => 0);
    expect(wrapper.outcome({ ...context, language: "en" }, "cancelled")).toBe("Dropped it. Nothing was touched.");
    expect(wrapper.error({ ...context, chat: "b" }, "no such file: a\u200B.txt")).toBe(
      "没成功。\nno such file: a⟨U+200B⟩.txt",
    );
  });

  it("fit the kind of work", () => {
    const wrapper = createPersonaWrapper(persona, () => 0);
    expect(wrapper.progress(context, "read")).toBe("看一下。");
    expect(wrapper.progress(context)).toBe("处理一下。");
  });
});
