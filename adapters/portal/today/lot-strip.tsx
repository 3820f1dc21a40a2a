import { Link } from "wouter";
import type { ListedAgeGroup } from "../../../core/today/today.ts";
import { formatNumber } from "../page/counts.ts";
import { Section } from "../page/section.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { ageLink, daysInWords, type Links } from "./today-words.ts";

/** The lot as a strip of four ages; each part and each entry below it opens the list of its vehicles. */
export const LotStrip = ({ ages, links }: { ages: readonly ListedAgeGroup[]; links: Links }) => {
  const { price } = useAmountFormats();
  const parts = ages.map((group, place) => ({ ...group, place: place + 1, link: ageLink(links, group) }));
  return (
    <Section title="Age of the lot" actions={<span className="section-note">Each part opens its list</span>}>
      {/* For the mouse: the entries below are the same links, with words. */}
      <div className="lot-strip" aria-hidden>
        {parts
          .filter(({ count }) => count > 0)
          .map(({ place, count, link }) => (
            <Link
              key={place}
              href={link}
              className="lot-part"
              tabIndex={-1}
              data-age={place}
              style={{ flexGrow: count }}
            />
          ))}
      </div>
      <ul className="lot-ages">
        {parts.map(({ place, from, to, count, value, link }) => (
          <li key={place}>
            <Link href={link} className="lot-age">
              <span>
                <i data-age={place} aria-hidden />
                <b>{formatNumber(count)}</b> {daysInWords({ from, to })}
              </span>
              <small>{price(value)}</small>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
};
