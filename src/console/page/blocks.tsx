import type { ComponentChildren } from "preact";
import type { Block, Inline } from "../views/chats-views.ts";

/** Markdown that the server has read: elements and text nodes, never HTML. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return <div class="blocks">{blocks.map(showBlock)}</div>;
}

function showBlock(block: Block): ComponentChildren {
  switch (block.kind) {
    case "paragraph":
      return <p>{showInline(block.inside)}</p>;
    case "heading":
      return <p class="heading">{showInline(block.inside)}</p>;
    case "code":
      return (
        <pre class="cmd" tabIndex={0}>
          {block.text}
        </pre>
      );
    case "quote":
      return <blockquote>{block.blocks.map(showBlock)}</blockquote>;
    case "rule":
      return <hr />;
    case "list": {
      const items = block.items.map((item) => <li>{item.map(showBlock)}</li>);
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case "table":
      return (
        <div class="wide" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.header.map((cell) => (
                  <th>{showInline(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row) => (
                <tr>
                  {row.map((cell) => (
                    <td>{showInline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

const showInline = (inside: readonly Inline[]): ComponentChildren => inside.map(showSpan);

function showSpan(span: Inline): ComponentChildren {
  switch (span.kind) {
    case "text":
      return span.text;
    case "code":
      return <code>{span.text}</code>;
    case "break":
      return <br />;
    case "strong":
      return <strong>{showInline(span.inside)}</strong>;
    case "em":
      return <em>{showInline(span.inside)}</em>;
    case "del":
      return <del>{showInline(span.inside)}</del>;
    case "link":
      return (
        <a href={span.href} target="_blank" rel="noreferrer noopener">
          {showInline(span.inside)}
        </a>
      );
  }
}
