import { describe, expect, it } from "vitest";
import { createFileReadTool } from "../../../src/features/work-tools/file-read.ts";
import { createFileToolBench } from "../../support/file-tool-bench.ts";

const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from([part]))));

describe("file_read of pictures", () => {
  it("tells them by their first bytes, whatever they are called", async () => {
    const bench = await createFileToolBench(createFileReadTool);
    const rows: [Buffer, string][] = [
      [bytes("\x89PNG\r\n\x1a\n", 0, 1), "image/png"],
      [bytes("\xff\xd8\xff\xe0"), "image/jpeg"],
      [bytes("GIF89a", 0), "image/gif"],
      [bytes("RIFF", 0, 0, 0, 0, "WEBP", 0), "image/webp"],
    ];
    for (const [content, mimeType] of rows) {
      await bench.put("notes.txt", content);
      expect(await bench.run({ path: "notes.txt" })).toMatchObject({
        ok: true,
        output: { image: mimeType, bytes: content.length },
        parts: [{ type: "image", mimeType, data: content.toString("base64") }],
      });
    }
    for (const content of [bytes("RIFF", 0, 0, 0, 0, "WAVE"), bytes("BM", 0), bytes(0xff, 0xd8), bytes("\x89PNG")]) {
      await bench.put("picture.png", content);
      expect(await bench.error({ path: "picture.png" })).toMatch(/not a text file/);
    }
  });

  it("takes none of more than 5 MiB", async () => {
    const bench = await createFileToolBench(createFileReadTool);
    const largest = Buffer.concat([bytes("\x89PNG\r\n\x1a\n"), Buffer.alloc(5 * 1024 * 1024 - 8)]);
    await bench.put("a.png", largest);
    expect(await bench.output({ path: "a.png" })).toMatchObject({ bytes: 5 * 1024 * 1024 });
    await bench.put("a.png", Buffer.concat([largest, Buffer.alloc(1)]));
    expect(await bench.error({ path: "a.png" })).toMatch(/more than 5 MiB/);
  });
});
