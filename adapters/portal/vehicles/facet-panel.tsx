import { Button, Checkbox } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { AmountFacet, Amounts, FacetName, RangeCount, WordFacet } from "../../../core/facets/facet.ts";
import type { Query } from "../api/client.ts";
import { labelFromName } from "../forms/draft.ts";
import { type Filter, TextFilter } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import { counted, inFigures } from "../shell/figures.tsx";
import { type Facets, useFacets } from "./facets.ts";
import { NearFilter } from "./near-filter.tsx";
import { STATUS_CHOICES } from "./vehicle-words.ts";

/** So many values are shown at first. */
const SHOWN = 6;

/** A part of the panel: values to tick, or bounds. */
interface Part {
  readonly label: string;
  /** The facet that is counted for it; without one it has no counts. */
  readonly facet?: FacetName;
  /** The filters that it sets; a part is open at first if one of them is set. */
  readonly names: readonly string[];
  readonly isOpen?: true;
  readonly content: (asked: Asked) => ReactNode;
}

interface Asked {
  readonly list: ListState;
  readonly facets: Facets | undefined;
}

interface TickProps {
  readonly label: string;
  readonly count: number | undefined;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
}

const Tick = ({ label, count, isTicked, onTick }: TickProps) => (
  <div className="facet-line">
    <Checkbox
      size="xs"
      label={label}
      checked={isTicked}
      {...(count !== undefined && { "aria-description": counted(count, "vehicle") })}
      onChange={({ currentTarget }) => onTick(currentTarget.checked)}
    />
    {count !== undefined && <span aria-hidden>{inFigures(count)}</span>}
  </div>
);

interface TicksProps extends Asked {
  readonly label: string;
  readonly facet: WordFacet;
  /** The parameter that it sets. */
  readonly name: string;
  /** True where only one value can be set. */
  readonly isSingle?: boolean;
  /** All its values with their labels, in their order; without it the most frequent ones, as they are. */
  readonly words?: readonly (readonly [word: string, label: string])[];
  readonly inWords?: (value: string) => string;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Values to tick, most frequent first; those that are set are always there. */
const Ticks = ({ list, facets, label, facet, name, isSingle = false, words, inWords }: TicksProps) => {
  const [isWhole, setWhole] = useState(false);
  const set = list.values(name);
  const found = (facets?.[facet] ?? []).filter(({ value }) => value !== null);
  const offered =
    words === undefined
      ? found
      : words.map(([value]) => found.find((one) => isSame(String(one.value), value)) ?? { value, count: 0 });
  const others = set.filter((value) => !offered.some((one) => isSame(String(one.value), value)));
  const all = [
    ...others.map((value) => ({ value, label: inWords?.(value) ?? value, count: facets?.[facet] && 0 })),
    ...offered.map((one) => ({
      value: String(one.value),
      label:
        words?.find(([word]) => word === one.value)?.[1] ??
        ("name" in one ? one.name : null) ??
        inWords?.(String(one.value)) ??
        String(one.value),
      count: facets?.[facet] && one.count,
    })),
  ];
  const isSet = (value: string): boolean => set.some((one) => isSame(one, value));
  const shown = all.filter(({ value }, place) => isWhole || place < SHOWN || isSet(value));
  const rest = all.length - shown.length;
  const tick = (value: string, isTicked: boolean): void => {
    const others = isSingle ? [] : set.filter((one) => !isSame(one, value));
    list.setFilters({ [name]: isTicked ? [...others, value] : others });
  };
  if (all.length === 0) return <p className="facet-none">{facets === undefined ? "" : "None"}</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the summary above is its legend
    <div role="group" aria-label={label}>
      {shown.map(({ value, label, count }) => (
        <Tick
          key={value}
          label={label || value}
          count={count}
          isTicked={isSet(value)}
          onTick={(isTicked) => tick(value, isTicked)}
        />
      ))}
      {(rest > 0 || isWhole) && all.length > SHOWN && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isWhole}
          aria-label={isWhole ? `Fewer of ${label}` : `${rest} more of ${label}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? "Fewer" : `${rest} more…`}
        </Button>
      )}
    </div>
  );
};

/** How amounts are spread, as bars; those within the bounds are darker. Figures for readers of the page are the bounds. */
const Bars = ({ spread, from, to }: { spread: Amounts; from: string; to: string }) => {
  const most = Math.max(1, ...spread.ranges.map(({ count }) => count));
  const isWithin = (range: RangeCount): boolean =>
    (to === "" || range.from <= Number(to)) && (from === "" || range.to === null || range.to > Number(from));
  return (
    <div className="facet-bars" aria-hidden>
      {spread.ranges.map((range) => (
        <i
          key={range.from}
          title={`${inFigures(range.from)}${range.to === null ? " and more" : ` to ${inFigures(range.to)}`}: ${counted(range.count, "vehicle")}`}
          style={{ height: `${Math.max(4, (range.count / most) * 100)}%` }}
          {...(isWithin(range) && { "data-within": true })}
        />
      ))}
    </div>
  );
};

interface BoundsProps extends Asked {
  readonly label: string;
  readonly facet?: AmountFacet;
  /** The end of the names of the two parameters. */
  readonly name: string;
}

/** Two fields for the least and the most. */
const Bounds = ({ list, facets, label, facet, name }: BoundsProps) => {
  const [from, to]: readonly [Filter, Filter] = [
    { name: `min_${name}`, label: `${label} from`, type: "number" },
    { name: `max_${name}`, label: `${label} to`, type: "number" },
  ];
  const spread = facet === undefined ? undefined : facets?.[facet];
  return (
    <>
      {spread !== undefined && spread.ranges.length > 0 && (
        <Bars spread={spread} from={list.filter(from.name)} to={list.filter(to.name)} />
      )}
      <TextFilter list={list} filter={from} />
      <TextFilter list={list} filter={to} />
    </>
  );
};

const ticks = (facet: WordFacet, more: Partial<Part> = {}): Part => {
  const label = more.label ?? labelFromName(facet);
  return {
    label,
    facet,
    names: [facet],
    content: (asked) => <Ticks {...asked} label={label} facet={facet} name={facet} />,
    ...more,
  };
};
const bounds = (
  name: string,
  label: string,
  more: { readonly facet?: AmountFacet; readonly isOpen?: true } = {},
): Part => ({
  label,
  names: [`min_${name}`, `max_${name}`],
  content: (asked) => (
    <Bounds {...asked} label={label} name={name} {...(more.facet !== undefined && { facet: more.facet })} />
  ),
  ...more,
});

const DEALER: Part = ticks("dealer", {
  names: ["dealer_id"],
  content: (asked) => <Ticks {...asked} label="Dealer" facet="dealer" name="dealer_id" isSingle />,
});

const PARTS: readonly Part[] = [
  ticks("status", {
    isOpen: true,
    content: (asked) => <Ticks {...asked} label="Status" facet="status" name="status" words={STATUS_CHOICES} />,
  }),
  ticks("stage", {
    content: (asked) => <Ticks {...asked} label="Stage" facet="stage" name="stage" inWords={labelFromName} />,
  }),
  ticks("make", { isOpen: true }),
  ticks("model", { isOpen: true }),
  bounds("price", "Price", { facet: "price", isOpen: true }),
  bounds("mileage", "Mileage", { facet: "mileage" }),
  bounds("year", "Year"),
  bounds("days_on_lot", "Days on the lot"),
  ticks("body_style"),
  ticks("fuel_type"),
  ticks("transmission"),
  ticks("drivetrain"),
  ticks("condition"),
  ticks("exterior_color"),
  {
    label: "Attention",
    names: ["has_images", "featured"],
    content: ({ list }) => (
      // biome-ignore lint/a11y/useSemanticElements: the summary above is its legend
      <div role="group" aria-label="Attention">
        <Tick
          label="No photo"
          count={undefined}
          isTicked={list.filter("has_images") === "false"}
          onTick={(isTicked) => list.setFilters({ has_images: isTicked ? "false" : "" })}
        />
        <Tick
          label="Featured"
          count={undefined}
          isTicked={list.filter("featured") === "true"}
          onTick={(isTicked) => list.setFilters({ featured: isTicked ? "true" : "" })}
        />
      </div>
    ),
  },
];

const NEAR: Part = { label: "Near", names: ["near"], content: ({ list }) => <NearFilter list={list} /> };

interface FacetPanelProps {
  readonly list: ListState;
  /** What the list is narrowed to. */
  readonly query: Query;
  /** True once the list is there, which is what people wait for. */
  readonly isListRead: boolean;
  /** True when several dealers are in reach. */
  readonly hasDealers: boolean;
}

/** The filters of vehicles, with how many each value would find. Only parts that are open are counted. */
export const FacetPanel = ({ list, query, isListRead, hasDealers }: FacetPanelProps) => {
  const parts = hasDealers ? [...PARTS, DEALER, NEAR] : PARTS;
  const isSet = ({ names }: Part): boolean => names.some((name) => list.filter(name) !== "");
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(parts.filter((part) => part.isOpen || isSet(part)).map(({ label }) => label)),
  );
  const toggle = (label: string, isOpen: boolean): void =>
    setOpen((before) => {
      const after = new Set(before);
      if (isOpen) after.add(label);
      else after.delete(label);
      return after;
    });
  const counts = useFacets(
    query,
    parts.flatMap(({ label, facet }) => (facet !== undefined && open.has(label) ? [facet] : [])),
    isListRead,
  );
  return (
    <div className="facets">
      {counts.isError && <p className="facet-none">Counts are not there now.</p>}
      {parts.map((part) => (
        <details
          key={part.label}
          className="facet"
          open={open.has(part.label)}
          onToggle={({ currentTarget }) => toggle(part.label, currentTarget.open)}
        >
          <summary>{part.label}</summary>
          {open.has(part.label) && part.content({ list, facets: counts.data })}
        </details>
      ))}
    </div>
  );
};
