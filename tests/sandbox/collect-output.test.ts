// quick: reads and writes no container
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputCollector } from "../../src/sandbox/collect-output.ts";

function frame(stream: 1 | 2, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

const frames = fc.array(fc.tuple(fc.constantFrom<1 | 2>(1, 2), fc.uint8Array({ maxLength: 40 })), { maxLength: 12 });

describe("the output collector", () => {
  it("takes the streams apart wherever the engine's stream is cut", () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (parts, cuts) => {
        const wire = Buffer.concat(parts.map(([stream, bytes]) => frame(stream, Buffer.from(bytes))));
        const collector = createOutputCollector(1_000_000);
        for (let position = 0, turn = 0; position < wire.length; turn += 1) {
          const next = position + (cuts[turn % cuts.length] ?? 1);
          collector.write(wire.subarray(position, next));
          position = next;
        }
        const expected = (wanted: 1 | 2): string =>
          Buffer.concat(parts.filter(([stream]) => stream === wanted).map(([, bytes]) => bytes)).toString("utf8");
        expect(collector.stdout()).toBe(expected(1));
        expect(collector.stderr()).toBe(expected(2));
        expect(collector.overflowed).toBe(false);
      }),
    );
  });

  it("keeps no more than the cap of each stream and says so", () => {
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 60 }), (parts, cap) => {
        const collector = createOutputCollector(cap);
        for (const [stream, bytes] of parts) collector.write(frame(stream, Buffer.from(bytes)));
        const total = (wanted: 1 | 2): number =>
          parts.filter(([stream]) => stream === wanted).reduce((sum, [, bytes]) => sum + bytes.length, 0);
        expect(collector.overflowed).toBe(total(1) > cap || total(2) > cap);
      }),
    );
  });

  it("keeps a character whole that two frames share, and replaces what is no text", () => {
    const letters = Buffer.from("研究室");
    const seen: string[] = [];
    const collector = createOutputCollector(1000, (part) => seen.push(part.text));
    collector.write(frame(1, letters.subarray(0, 4)));
    collector.write(frame(2, Buffer.from("warning")));
    collector.write(frame(1, letters.subarray(4)));
    collector.write(frame(1, Buffer.from([0xff, 0x0a])));
    expect(collector.stdout()).toBe("研究室\uFFFD\n");
    expect(seen.join("")).toBe("研warning究室\uFFFD\n");
  });
});
