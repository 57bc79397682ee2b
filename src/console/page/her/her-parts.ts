import type { PeopleView, RemindersView } from "../../views/her-views.ts";
import type { PageParts } from "../loaded-page.tsx";
import type { ReadView } from "../use-view.ts";
import type { HerWords } from "../words/her/zh.ts";

export type HerParts = PageParts<HerWords>;
export type PeopleRead = ReadView<PeopleView>;
export type RemindersRead = ReadView<RemindersView>;
