import type { PageParts } from "../loaded-page.tsx";
import type { SystemWords } from "../words/system/zh.ts";

export type SystemPageParts = PageParts<SystemWords>;
