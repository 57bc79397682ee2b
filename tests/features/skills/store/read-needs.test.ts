// full: needs a container engine
import { skillWords } from "../../../../src/features/skills/words.ts";
import { describe, expect, test } from "vitest";
import { lookForInstalled, lookForNeeds } from "../../../../src/features/skills/cli/skill-needs.ts";
import { checkNeeds } from "../../../../src/features/skills/store/check-needs.ts";
import { readNeeds } from "../../../../src/features/skills/store/read-needs.ts";
import { dockerIsThere } from "../../../support/docker.ts";
import { createSandboxBench } from "../../../support/sandbox-bench.ts";
import { createTemporaryFolder } from "../../../support/temporary-folder.ts";
import { workTime } from "../../../support/work-time.ts";

const read = (files: Readonly<Record<string, string>>) =>
  readNeeds(Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })));
const nothing = { python: [], node: [], programs: [] };

describe("the needs of a skill", () => {
  test.each([
    [
      "imports of Python",
      { "a.py": "import os, sys\nimport pandas as pd, lxml.etree\nfrom PIL import Image\n" },
      { python: ["PIL", "lxml", "pandas"] },
    ],
    ["an import within a function", { "a.py": "def f():\n    from pypdf import PdfReader\n" }, { python: ["pypdf"] }],
    [
      "no module of its own",
      {
        "scripts/a.py": "import helper\nfrom office.pack import x\nfrom . import y\n",
        "scripts/helper.py": "",
        "scripts/office/pack.py": "",
      },
      {},
    ],
    ["no sentence of a docstring", { "a.py": '"""\nimport the file, then\nfrom the list take one.\n"""\n' }, {}],
    [
      "packages of npm",
      {
        "a.mjs":
          'import x from "docx";\nimport fs from "node:fs";\nconst y = require("@scope/y/z");\nrequire("./own");\nrequire("path");\n',
      },
      { node: ["@scope/y", "docx"], programs: ["node"] },
    ],
    [
      "programs that a script starts",
      { "a.py": 'import subprocess\nsubprocess.run(["soffice", "--headless"])\nshutil.which("pandoc")\n' },
      { programs: ["pandoc", "soffice"] },
    ],
    [
      "programs of a shell script",
      { "run.sh": "cat x | pdftotext - - && qpdf --check a.pdf\nout=$(ffprobe a.mp4)\n# convert it\n" },
      { programs: ["ffprobe", "pdftotext", "qpdf"] },
    ],
    [
      "blocks of SKILL.md",
      {
        "SKILL.md":
          "---\nname: a\n---\nUse pandoc or go home.\n\n```bash\nmagick a.png b.jpg\n```\n\n```python\nimport openpyxl\n```\n",
      },
      { python: ["openpyxl"], programs: ["magick"] },
    ],
    [
      "lines that install",
      { "SKILL.md": '---\nname: a\n---\n- `pip install "markitdown[pptx]" Pillow`\n- `npm install -g pptxgenjs@3`\n' },
      { python: ["PIL", "markitdown"], node: ["pptxgenjs"], programs: ["node"] },
    ],
    [
      "requirements.txt",
      { "requirements.txt": "# all\npython-docx>=1.1\nPyYAML==6\n-r other.txt\ngit+https://x.example/y\n" },
      { python: ["docx", "yaml"] },
    ],
    ["package.json", { "package.json": '{"dependencies":{"sharp":"^0.33"}}' }, { node: ["sharp"], programs: ["node"] }],
    [
      "compatibility",
      { "SKILL.md": "---\nname: a\ncompatibility: Needs LibreOffice and pdftoppm, no network\n---\n" },
      { programs: ["libreoffice", "pdftoppm"] },
    ],
    [
      "dependencies",
      { "SKILL.md": "---\nname: a\ndependencies: python>=3.8, pandas>=2, ffmpeg\n---\n" },
      { python: ["pandas"], programs: ["ffmpeg"] },
    ],
    [
      "requires within metadata",
      {
        "SKILL.md":
          '---\nname: a\nmetadata: { "openclaw": { "requires": { "bins": ["uv", "jq"], "pip": ["requests"] } } }\n---\n',
      },
      { python: ["requests"], programs: ["jq", "uv"] },
    ],
    [
      "no name that is no name",
      {
        "SKILL.md":
          '---\nname: a\nmetadata: { requires: { bins: ["x; rm -rf /", "$(id)", "-v"], pip: ["a b;c"] } }\n---\n',
      },
      { python: ["a"] },
    ],
  ])("the reader finds the needs in %s", (_what, files, needs) => {
    expect(read(files as unknown as Record<string, string>)).toEqual({ ...nothing, ...needs });
  });

  test("the reader reads the needs in linear time", () => {
    const long = `${" ".repeat(100_000)}import ${"a, ".repeat(50_000)}\n${"(".repeat(100_000)}`;
    const start = workTime();
    read({ "a.py": long, "b.js": long, "c.sh": long, "SKILL.md": `---\n${long}\n---\n${long}` });
    expect(workTime() - start).toBeLessThan(20_000);
  });

  test("the words for the needs exist in three languages", () => {
    const needs = { python: ["pypdf"], node: ["docx"], programs: ["soffice"] };
    for (const language of ["zh", "en", "ja"] as const)
      expect(skillWords[language].extensions.needs(needs)).toMatch(/pypdf.*docx.*soffice/);
  });
});

describe("the check in the sandbox", () => {
  const needs = { python: ["json", "nowhere_at_all"], node: [], programs: ["bash", "soffice-of-nobody"] };

  test("the line reports that the check was left out when no engine answers", async () => {
    const line = await lookForNeeds(needs, async () => ({ kind: "unchecked", reason: "No engine. Start it." }));
    expect(line).toContain("Not checked whether the sandbox has what it needs: No engine. Start it.");
    expect(await lookForNeeds(nothing, () => Promise.reject(new Error("nothing is looked for")))).toBeUndefined();
  });

  test("names for each installed skill what is missing", async () => {
    const skill = (id: string, text: string) =>
      ({
        kind: "intact",
        id,
        files: [{ path: "a.py", bytes: Buffer.from(text) }],
        digest: "",
        locked: {} as never,
      }) as const;
    const found = await lookForInstalled([skill("a", "import pypdf\n"), skill("b", "import numpy\n")], async () => ({
      kind: "checked",
      image: "x",
      missing: { ...nothing, python: ["pypdf"] },
    }));
    expect([...(found?.missing ?? [])]).toEqual([["a", { ...nothing, python: ["pypdf"] }]]);
    expect(found?.note).toContain("sandbox:image");
  });

  test.runIf(dockerIsThere())("finds what the image has and what it lacks", async () => {
    const { sandbox } = await createSandboxBench();
    const check = await checkNeeds(needs, { sandbox, home: await createTemporaryFolder() });
    expect(check).toMatchObject({
      kind: "checked",
      missing: { python: ["nowhere_at_all"], node: [], programs: ["soffice-of-nobody"] },
    });
  });
});
