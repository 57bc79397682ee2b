/** `tools.yaml:12` for `tools.yaml:12:5`. */
export const shortPlace = (place: string): string => place.replace(/:\d+$/, "");
