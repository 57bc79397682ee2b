import { placesOfSecond } from "./log-places.ts";

/**
 * The run of seconds up to the newest whose places this process has taken, so that a burst goes on where it stands and
 * asks the store nothing. A hint: the statement that takes a place looks for itself.
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
