import { computed, signal } from "@preact/signals";
import type { MeView } from "../views/sign-in-views.ts";

/** The signed-in person, as the server last reported. */
export const viewer = signal<MeView | undefined>(undefined);
/** A member sees their own rows; what the server would refuse them is not shown. */
export const isMember = computed(() => viewer.value?.role === "member");
