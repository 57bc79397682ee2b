import type { PageParts } from "../loaded-page.tsx";
import type { HerWords } from "../words/her/zh.ts";

export type HerParts = PageParts<HerWords>;
