/** The two packages that read pages have no types of their own, and the browser's must not become global here. */

interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  contains(other: PageNode | undefined): boolean;
}

interface PageElement extends PageNode {
  readonly localName: string;
  readonly innerHTML: string;
  readonly outerHTML: string;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

declare module "@mixmark-io/domino" {
  const domino: {
    createDocument(html: string): PageElement & { readonly title: string; readonly body: PageElement };
  };
  export default domino;
}

declare module "@joplin/turndown-plugin-gfm" {
  import type { Plugin } from "turndown";
  export const tables: Plugin;
  export const strikethrough: Plugin;
}
