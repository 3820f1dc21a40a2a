import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { AmountFacet, Amounts, FacetName, RangeCount, WordFacet } from "../../../core/facets/facet.ts";
import type { Query } from "../api/client.ts";
import { labelFromName } from "../forms/draft.ts";
import { type Filter, TextFilter } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import { formatCount, formatNumber } from "../page/figures.tsx";
import { AGE_PARAMETERS, AgeFilter } from "./age-filter.tsx";
import { FacetCheckbox } from "./facet-checkbox.tsx";
import { type Facets, useFacets } from "./facets.ts";
import { NearFilter } from "./near-filter.tsx";
import { STATUS_CHOICES } from "./vehicle-words.ts";

/** The number of values shown before the user asks for more. */
const SHOWN_AT_FIRST = 6;

/** A section of the panel: values to select, or bounds. */
interface FacetSection {
  readonly label: string;
  /** The facet that gives its counts; without one it shows no counts. */
  readonly facet?: FacetName;
  /** The filters that it sets. A section starts open if one of them is set. */
  readonly names: readonly string[];
  readonly isOpen?: true;
  readonly content: (contentProps: FacetContentProps) => ReactNode;
}

interface FacetContentProps {
  readonly list: ListState;
  readonly facets: Facets | undefined;
}

interface ValueCheckboxesProps extends FacetContentProps {
  readonly label: string;
  readonly facet: WordFacet;
  /** The filter that it sets. */
  readonly name: string;
  /** True if only one value can be set. */
  readonly isSingle?: boolean;
  /** All values with their labels, in order; without it, the most frequent values as they are. */
  readonly words?: readonly (readonly [word: string, label: string])[];
  readonly inWords?: (value: string) => string;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Checkboxes for values, most frequent first; values that are set are always shown. */
const ValueCheckboxes = ({
  list,
  facets,
  label,
  facet,
  name,
  isSingle = false,
  words,
  inWords,
}: ValueCheckboxesProps) => {
  const [isExpanded, setExpanded] = useState(false);
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
  const shown = all.filter(({ value }, place) => isExpanded || place < SHOWN_AT_FIRST || isSet(value));
  const rest = all.length - shown.length;
  const setChecked = (value: string, isChecked: boolean): void => {
    const others = isSingle ? [] : set.filter((one) => !isSame(one, value));
    list.setFilters({ [name]: isChecked ? [...others, value] : others });
  };
  if (all.length === 0) return <p className="facet-none">{facets === undefined ? "" : "None"}</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the summary above is its legend
    <div role="group" aria-label={label}>
      {shown.map(({ value, label, count }) => (
        <FacetCheckbox
          key={value}
          label={label || value}
          count={count}
          isChecked={isSet(value)}
          onChange={(isChecked) => setChecked(value, isChecked)}
        />
      ))}
      {(rest > 0 || isExpanded) && all.length > SHOWN_AT_FIRST && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isExpanded}
          aria-label={isExpanded ? `Fewer of ${label}` : `${rest} more of ${label}`}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? "Fewer" : `${rest} more…`}
        </Button>
      )}
    </div>
  );
};

/**
 * The distribution of amounts as bars; those within the bounds are darker. Screen readers get the fields for the
 * bounds.
 */
const Histogram = ({ amounts, from, to }: { amounts: Amounts; from: string; to: string }) => {
  const most = Math.max(1, ...amounts.ranges.map(({ count }) => count));
  const isWithin = (range: RangeCount): boolean =>
    (to === "" || range.from <= Number(to)) && (from === "" || range.to === null || range.to > Number(from));
  return (
    <div className="facet-bars" aria-hidden>
      {amounts.ranges.map((range) => (
        <i
          key={range.from}
          title={`${formatNumber(range.from)}${range.to === null ? " and more" : ` to ${formatNumber(range.to)}`}: ${formatCount(range.count, "vehicle")}`}
          style={{ height: `${Math.max(4, (range.count / most) * 100)}%` }}
          {...(isWithin(range) && { "data-within": true })}
        />
      ))}
    </div>
  );
};

interface RangeFieldsProps extends FacetContentProps {
  readonly label: string;
  readonly facet?: AmountFacet;
  /** The end of both parameters' names. */
  readonly name: string;
}

/** Two fields, for the minimum and the maximum. */
const RangeFields = ({ list, facets, label, facet, name }: RangeFieldsProps) => {
  const [from, to]: readonly [Filter, Filter] = [
    { name: `min_${name}`, label: `${label} from`, type: "number" },
    { name: `max_${name}`, label: `${label} to`, type: "number" },
  ];
  const spread = facet === undefined ? undefined : facets?.[facet];
  return (
    <>
      {spread !== undefined && spread.ranges.length > 0 && (
        <Histogram amounts={spread} from={list.filter(from.name)} to={list.filter(to.name)} />
      )}
      <TextFilter list={list} filter={from} />
      <TextFilter list={list} filter={to} />
    </>
  );
};

const checkboxSection = (facet: WordFacet, more: Partial<FacetSection> = {}): FacetSection => {
  const label = more.label ?? labelFromName(facet);
  return {
    label,
    facet,
    names: [facet],
    content: (contentProps) => <ValueCheckboxes {...contentProps} label={label} facet={facet} name={facet} />,
    ...more,
  };
};
const rangeSection = (
  name: string,
  label: string,
  more: { readonly facet?: AmountFacet; readonly isOpen?: true } = {},
): FacetSection => ({
  label,
  names: [`min_${name}`, `max_${name}`],
  content: (contentProps) => (
    <RangeFields {...contentProps} label={label} name={name} {...(more.facet !== undefined && { facet: more.facet })} />
  ),
  ...more,
});

const DEALER: FacetSection = checkboxSection("dealer", {
  names: ["dealer_id"],
  content: (contentProps) => (
    <ValueCheckboxes {...contentProps} label="Dealer" facet="dealer" name="dealer_id" isSingle />
  ),
});

const SECTIONS: readonly FacetSection[] = [
  checkboxSection("status", {
    isOpen: true,
    content: (contentProps) => (
      <ValueCheckboxes {...contentProps} label="Status" facet="status" name="status" words={STATUS_CHOICES} />
    ),
  }),
  checkboxSection("stage", {
    content: (contentProps) => (
      <ValueCheckboxes {...contentProps} label="Stage" facet="stage" name="stage" inWords={labelFromName} />
    ),
  }),
  {
    label: "Age",
    facet: "days_on_lot",
    names: AGE_PARAMETERS,
    isOpen: true,
    content: ({ list, facets }) => <AgeFilter list={list} counts={facets?.days_on_lot} />,
  },
  checkboxSection("make", { isOpen: true }),
  checkboxSection("model", { isOpen: true }),
  rangeSection("price", "Price", { facet: "price", isOpen: true }),
  rangeSection("mileage", "Mileage", { facet: "mileage" }),
  rangeSection("year", "Year"),
  checkboxSection("body_style"),
  checkboxSection("fuel_type"),
  checkboxSection("transmission"),
  checkboxSection("drivetrain"),
  checkboxSection("condition"),
  checkboxSection("exterior_color"),
  rangeSection("electric_range", "Electric range"),
  {
    label: "Doors",
    names: ["doors"],
    content: ({ list }) => <TextFilter list={list} filter={{ name: "doors", label: "Doors", type: "number" }} />,
  },
  {
    label: "Attention",
    names: ["has_images", "featured"],
    content: ({ list }) => (
      // biome-ignore lint/a11y/useSemanticElements: the summary above is its legend
      <div role="group" aria-label="Attention">
        <FacetCheckbox
          label="No photo"
          count={undefined}
          isChecked={list.filter("has_images") === "false"}
          onChange={(isChecked) => list.setFilters({ has_images: isChecked ? "false" : "" })}
        />
        <FacetCheckbox
          label="Featured"
          count={undefined}
          isChecked={list.filter("featured") === "true"}
          onChange={(isChecked) => list.setFilters({ featured: isChecked ? "true" : "" })}
        />
      </div>
    ),
  },
];

const NEAR: FacetSection = { label: "Near", names: ["near"], content: ({ list }) => <NearFilter list={list} /> };

interface FacetPanelProps {
  readonly list: ListState;
  /** The filters of the list. */
  readonly query: Query;
  /** True once the list has loaded: people wait for it, so it comes before the counts. */
  readonly isListLoaded: boolean;
  /** True if the user sees vehicles of several dealers. */
  readonly hasSeveralDealers: boolean;
}

/** The filters of vehicles, with the number of vehicles for each value. Counts only the facets of open sections. */
export const FacetPanel = ({ list, query, isListLoaded, hasSeveralDealers }: FacetPanelProps) => {
  const parts = hasSeveralDealers ? [...SECTIONS, DEALER, NEAR] : SECTIONS;
  const isSet = ({ names }: FacetSection): boolean => names.some((name) => list.filter(name) !== "");
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
    isListLoaded,
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
