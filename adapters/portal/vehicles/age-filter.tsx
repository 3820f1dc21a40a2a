import type { Amounts } from "../../../core/facets/facet.ts";
import type { ListState } from "../lists/list-state.ts";
import { FacetCheckbox } from "./facet-checkbox.tsx";
import { ageInWords, agesWithin, LOT_AGES, type LotAge, lotAgeOf, rangeAfter } from "./lot-ages.ts";

/** The parameters of the range. */
export const AGE_PARAMETERS = ["min_days_on_lot", "max_days_on_lot"] as const;
const [MIN, MAX] = AGE_PARAMETERS;

/** The range of days that a list is narrowed to; `null` if there is none. */
export const ageOf = (list: ListState): LotAge | null => {
  const [from, to] = [list.filter(MIN), list.filter(MAX)];
  return from === "" && to === "" ? null : { from: Number(from), to: to === "" ? null : Number(to) };
};

/** Four boxes for how long vehicles have been on the lot, each with its colour and its number of vehicles. */
export const AgeFilter = ({ list, counts }: { list: ListState; counts: Amounts | undefined }) => {
  const ticked = agesWithin(ageOf(list));
  const set = (age: LotAge, isTicked: boolean): void => {
    const range = rangeAfter(ticked, age, isTicked);
    list.setFilters({
      [MIN]: range === null ? "" : String(range.from),
      [MAX]: range === null || range.to === null ? "" : String(range.to),
    });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the summary above is its legend
    <div role="group" aria-label="Age">
      {LOT_AGES.map((age) => (
        <FacetCheckbox
          key={age.from}
          label={
            <>
              <i className="age-mark" data-age={lotAgeOf(age.from)} aria-hidden />
              {ageInWords(age)}
            </>
          }
          count={counts && (counts.ranges.find(({ from }) => from === age.from)?.count ?? 0)}
          isChecked={ticked.includes(age)}
          onChange={(isTicked) => set(age, isTicked)}
        />
      ))}
    </div>
  );
};
