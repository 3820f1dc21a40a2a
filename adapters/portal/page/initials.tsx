/** The first letters of two words of a name, in place of a picture. */
export const Initials = ({ of }: { of: string }) => (
  <span className="initials" aria-hidden>
    {of
      .split(/\s+/)
      .map((word) => word.charAt(0))
      .filter((letter) => letter !== "")
      .slice(0, 2)
      .join("")
      .toUpperCase()}
  </span>
);
