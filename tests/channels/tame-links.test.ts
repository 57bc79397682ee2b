import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderText } from "../../src/channels/markdown/render-text.ts";
import { formatMarkdown } from "../../src/channels/markdown/format-markdown.ts";
import { holdBackLink, tameLinks } from "../../src/channels/markdown/tame-links.ts";

const good = "https://good.test/page";

describe("links of a reply", () => {
  it.each([
    ["[here](https://evil.test/?q=1)", "here (https://evil.test/?q=1)"],
    ["![x](https://evil.test/a.png)", "x (https://evil.test/a.png)"],
    [`![x](${good})`, `x (${good})`],
    ["[![x](https://e.test/a)](https://f.test/b)", "x (https://e.test/a) (https://f.test/b)"],
    [`[page](${good})`, `[page](${good})`],
    [`[page](${good}?q=secret)`, `page (${good}?q=secret)`],
    [`[https://bank.test](${good})`, `https://bank.test (${good})`],
    [`[bank.test](${good})`, `bank.test (${good})`],
    ["https://evil.test/x", "https://evil.test/x"],
    ["`[a](https://evil.test)`", "`[a](https://evil.test)`"],
    ["arr[i](x) is code", "arri (x) is code"],
    ["[ ] todo [x] done", "[ ] todo [x] done"],
  ])("%s", (markdown, shown) => {
    expect(tameLinks(markdown, [good])).toBe(shown);
  });

  it("hide no address, on Telegram and QQ, whatever they are written like", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "!",
      "a",
      "https://evil.test/q",
      "[r]",
      "\n\n[r]: https://evil.test",
      "\\",
      "`",
      "**",
      "\n> - ",
      "<",
      ">",
      " ",
      "|a|\n|-|\n|",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const shown = tameLinks(pieces.join(""), []);
        const { entities } = formatMarkdown(shown);
        expect(entities.filter(({ type }) => type === "text_link")).toEqual([]);
        expect(renderText(shown)).not.toMatch(/\[CQ:/);
      }),
      { numRuns: 500 },
    );
  });

  it("wait while they are being written", () => {
    expect(holdBackLink("see [he")).toBe("see ");
    expect(holdBackLink("see [here](https://evil")).toBe("see ");
    expect(holdBackLink("see ![x][")).toBe("see ");
    expect(holdBackLink("see [here](https://evil.test) now")).toBe("see [here](https://evil.test) now");
  });
});
