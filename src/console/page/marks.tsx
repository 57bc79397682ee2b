/** The line with ticks: a world line that forks. */
export function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 26 26" stroke-width="1.8" aria-hidden="true">
      <path d="M2 17h6c4 0 4-8 8-8h8M8 17c4 0 4 4 8 4h8" />
      <path d="M4 14v3M12 11.5v2M20 6v3M20 18v3" stroke-width="1.3" />
    </svg>
  );
}

export function TodayIcon() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 10h4l2-5 3 10 2-5h3" />
    </svg>
  );
}

export function ChatsIcon() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 4.5h14v9H9l-4 3v-3H3z" />
    </svg>
  );
}

export function AbilitiesIcon() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M8 3h4M8.8 3v5L4 15.5c-.5.9.1 1.5 1 1.5h10c.9 0 1.5-.6 1-1.5L11.2 8V3M6.3 12.5h7.4" />
    </svg>
  );
}

export function WarningIcon() {
  return (
    <svg width="15" height="15" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 2 1.5 13.5h13zM8 6.5v3.2M8 11.7v.1" />
    </svg>
  );
}

export function CheckIcon() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" stroke-width="2" aria-hidden="true">
      <path d="m2.5 6.5 2.5 2.5 4.5-5.5" />
    </svg>
  );
}

export function CrossIcon() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" stroke-width="2" aria-hidden="true">
      <path d="m3 3 6 6M9 3 3 9" />
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

export function SearchIcon() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="6" cy="6" r="4" />
      <path d="m9 9 3.5 3.5" />
    </svg>
  );
}

export function BackIcon() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="m12.5 4-6 6 6 6" />
    </svg>
  );
}

export function BranchIcon() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d="M1 9h3c2.5 0 2.5-5 5-5h4M4 9c2.5 0 2.5 2.500 5 2.500h4" />
    </svg>
  );
}

export function AddIcon() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M9 3v12M3 9h12" />
    </svg>
  );
}

export function SendIcon() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M9 15V3M4 8l5-5 5 5" />
    </svg>
  );
}
