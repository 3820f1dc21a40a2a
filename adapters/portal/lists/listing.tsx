import { type ReactNode, useRef, useState } from "react";
import type { BulkAction } from "./bulk.tsx";
import { BulkBar, useRowSelection } from "./bulk.tsx";
import { ColumnChoice, useColumns } from "./columns.tsx";
import { type Filter, Filters, type SearchChip } from "./filters.tsx";
import { LayoutToggle } from "./layout-toggle.tsx";
import type { ListState } from "./list-state.ts";
import { ListWithFilters, useHasRoomForFilters } from "./list-with-filters.tsx";
import { OrderChoice } from "./order-choice.tsx";
import { Pager } from "./pager.tsx";
import { RecordList, type RecordListProps } from "./record-list.tsx";

/** The most rows that can be selected, and changed by one request. */
const MAX_SELECTED = 1000;

export interface ListingProps<Row> extends Omit<RecordListProps<Row>, "below" | "selection"> {
  readonly list: ListState;
  /** The section's name for screen readers; the caption by default. */
  readonly region?: string;
  /** The word for the records, such as "dealers"; the browser also stores the chosen columns under it. */
  readonly noun: string;
  readonly filters?: readonly Filter[];
  /** The placeholder of the field that sets `q`, such as "Name, city or e-mail"; without it there is no search field. */
  readonly search?: string;
  /** Replaces the search field of `search`. */
  readonly searchField?: ReactNode;
  /** What the search was understood as, instead of one chip with all of it. */
  readonly searchChips?: readonly SearchChip[];
  /** Filters in a panel next to the list, or in a drawer on narrow windows; replaces `filters` above the list. */
  readonly filterPanel?: ReactNode;
  /** True if users may switch to cards on wide windows. */
  readonly hasCards?: boolean;
  /** The bulk actions; rows cannot be selected if there are none. */
  readonly bulk?: readonly BulkAction<Row>[];
  /** Reads the first `count` matching rows; with it, up to `MAX_SELECTED` matching rows can be selected at once. */
  readonly readFirst?: (count: number) => Promise<readonly Row[]>;
  /** The name of a row, for the label of its checkbox. */
  readonly nameOf: (row: Row) => string;
}

/** A list of records in a card: search, filters, columns, table, pages and bulk actions. */
export const Listing = <Row,>({
  list,
  region,
  noun,
  filters = [],
  search,
  searchField,
  searchChips = [],
  filterPanel,
  hasCards = false,
  bulk = [],
  readFirst,
  nameOf,
  columns,
  ...table
}: ListingProps<Row>) => {
  const columnChoice = useColumns(noun, columns);
  const filterKey = ["q", ...filters.map(({ name }) => name)].map((name) => list.values(name).join("\n")).join("\n\n");
  const section = useRef<HTMLElement>(null);
  const pageRows = table.query.data?.items ?? [];
  const { selection, clear, ...selected } = useRowSelection({
    keyOf: table.keyOf,
    nameOf,
    filters: filterKey,
    pageRows,
  });
  const total = table.query.data?.total ?? 0;
  const matching =
    readFirst === undefined ? null : { total, most: MAX_SELECTED, noun, read: () => readFirst(MAX_SELECTED) };
  const hasRoom = useHasRoomForFilters();
  const [isOpen, setOpen] = useState(false);
  const asCards = hasCards && list.asCards;
  const card = (
    <section
      className={asCards ? "card listing rows-as-cards" : "card listing"}
      aria-label={region ?? table.caption}
      ref={section}
    >
      <Filters
        list={list}
        filters={filters}
        searchChips={searchChips}
        {...(search !== undefined && { search })}
        {...(searchField !== undefined && { searchField })}
        {...(filterPanel !== undefined && { openFilterPanel: hasRoom ? null : () => setOpen(true) })}
        {...(table.sorting !== undefined && { orderChoice: <OrderChoice columns={columns} sorting={table.sorting} /> })}
      >
        <div className="listing-columns">
          {hasCards && <LayoutToggle list={list} />}
          <ColumnChoice columns={columns} choice={columnChoice} />
        </div>
      </Filters>
      <RecordList
        {...table}
        columns={columnChoice.shown}
        {...(bulk.length > 0 && { selection })}
        below={({ total }) => (
          <div className="listing-foot">
            <Pager list={list} total={total} noun={noun} />
          </div>
        )}
      />
      {bulk.length > 0 && (
        <BulkBar
          {...selected}
          onSelect={selection.setSelected}
          matching={matching}
          actions={bulk}
          onClear={clear}
          list={section}
        />
      )}
    </section>
  );
  if (filterPanel === undefined) return card;
  return (
    <ListWithFilters hasRoom={hasRoom} isOpen={isOpen} onClose={() => setOpen(false)} filters={filterPanel}>
      {card}
    </ListWithFilters>
  );
};
