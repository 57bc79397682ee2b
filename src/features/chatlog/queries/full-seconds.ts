import { placesOfSecond } from "./log-places.ts";

/**
 * The latest run of seconds whose places are all taken, as far as this process took them. A burst continues at the end
 * of that run without a query. It is only a hint: the INSERT itself checks that the place is free.
 */
export interface FullSeconds {
  /** The second in which a message of this second finds a place. */
  choose(second: number): number;
  /** This place was taken. */
  note(place: number): void;
}

export function createFullSeconds(): FullSeconds {
  let [from, open] = [0, 0];
  return {
    choose: (second) => (second >= from && second < open ? open : second),
    note(place) {
      const second = Math.floor(place / placesOfSecond);
      if (place % placesOfSecond !== placesOfSecond - 1 || second < open) return;
      if (second > open) from = second;
      open = second + 1;
    },
  };
}
