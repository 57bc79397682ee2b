/** A sign of thin lines. `box` = the square that the path is drawn in, `width` = of its line. */
function createIcon(size: number, path: string, { box = size, width }: { box?: number; width?: number } = {}) {
  return () => (
    <svg width={size} height={size} viewBox={`0 0 ${box} ${box}`} stroke-width={width} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

export const TodayIcon = createIcon(20, "M3 10h4l2-5 3 10 2-5h3");
export const ChatsIcon = createIcon(20, "M3 4.5h14v9H9l-4 3v-3H3z");
export const HerIcon = createIcon(
  20,
  "M13.3 6.8a3.3 3.3 0 1 1-6.6 0 3.3 3.3 0 0 1 6.6 0M3.5 17c.6-3.6 3-5.3 6.5-5.3s5.9 1.7 6.5 5.3",
);
export const AbilitiesIcon = createIcon(
  20,
  "M8 3h4M8.8 3v5L4 15.5c-.5.9.1 1.5 1 1.5h10c.9 0 1.5-.6 1-1.5L11.2 8V3M6.3 12.5h7.4",
);
export const SystemIcon = createIcon(20, "M3 5h8M15 5h2M3 10h2M9 10h8M3 15h8M15 15h2M13 3.500v3M7 8.500v3M13 13.500v3");
export const BackIcon = createIcon(20, "m12.5 4-6 6 6 6");
export const AddIcon = createIcon(18, "M9 3v12M3 9h12");
export const SendIcon = createIcon(18, "M9 15V3M4 8l5-5 5 5");
export const WarningIcon = createIcon(15, "M8 2 1.5 13.5h13zM8 6.5v3.2M8 11.7v.1", { box: 16 });
export const SearchIcon = createIcon(14, "M10 6a4 4 0 1 1-8 0 4 4 0 0 1 8 0m-1 3 3.5 3.5");
export const BranchIcon = createIcon(14, "M1 9h3c2.5 0 2.5-5 5-5h4M4 9c2.5 0 2.5 2.500 5 2.500h4");
export const CheckIcon = createIcon(12, "m2.5 6.5 2.5 2.5 4.5-5.5", { width: 2 });
export const CrossIcon = createIcon(12, "m3 3 6 6M9 3 3 9", { width: 2 });
export const DownIcon = createIcon(10, "m2 3.5 3 3 3-3");

/** The line with ticks: a world line that forks. */
export function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 26 26" stroke-width="1.8" aria-hidden="true">
      <path d="M2 17h6c4 0 4-8 8-8h8M8 17c4 0 4 4 8 4h8" />
      <path d="M4 14v3M12 11.5v2M20 6v3M20 18v3" stroke-width="1.3" />
    </svg>
  );
}

export function Brand({ name }: { readonly name: string }) {
  return (
    <div class="brand">
      <Logo />
      <span>
        Kurisu<small>{name}</small>
      </span>
    </div>
  );
}
