import { useState } from "react";
import { Initials } from "../page/initials.tsx";

interface DealerLogoProps {
  readonly name: string;
  readonly url: string | null | undefined;
}

/** The logo of a dealer in a list; the initials of its name if there is none, or if it does not load. */
export const DealerLogo = ({ name, url }: DealerLogoProps) => {
  const [broken, setBroken] = useState<string | null>(null);
  if (!url || url === broken) return <Initials of={name} />;
  return <img className="dealer-logo" src={url} alt="" loading="lazy" onError={() => setBroken(url)} />;
};
