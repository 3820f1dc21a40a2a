import type { DealerFigures } from "../../../core/dealer-figures/figures.ts";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatCount, formatNumber } from "../page/counts.ts";
import { PageLink } from "../page/link.tsx";
import { StateBadge } from "../page/state-badge.tsx";
import { CalendarDate, RelativeTime } from "../times/times.tsx";
import { DealerState } from "./dealer-facts.tsx";
import { DealerLogo } from "./dealer-logo.tsx";

/** A dealer in the list, with how it stands for those who may see that. */
export type ListedDealer = Pick<
  Dealer,
  "id" | "name" | "city" | "state" | "phone" | "email" | "active" | "created_at"
> & { readonly logo_url?: string | null; readonly figures?: DealerFigures };

const NAME: Column<ListedDealer> = {
  head: "Name",
  sort: "name",
  firstOrder: "asc",
  cell: ({ id, name, city, state, active, logo_url }) => (
    <div className="dealer-name">
      <DealerLogo name={name} url={logo_url} />
      <TwoLineCell
        first={<PageLink to={`/dealers/${id}`}>{name}</PageLink>}
        second={`${city}, ${state}${active ? "" : " · inactive"}`}
      />
    </div>
  ),
};

const contact = (hiddenByDefault: boolean): readonly Column<ListedDealer>[] => [
  { head: "Email", hiddenByDefault, cell: ({ email, phone }) => <TwoLineCell first={email} second={phone} /> },
  { head: "Status", hiddenByDefault, cell: (dealer) => <DealerState dealer={dealer} /> },
  {
    head: "Since",
    numeric: true,
    hiddenByDefault,
    sort: "created",
    cell: ({ created_at }) => <CalendarDate at={created_at} />,
  },
  { head: "Number", numeric: true, hiddenByDefault: true, cell: ({ id }) => id },
];

/** The columns for somebody who looks after one dealer. */
export const PLAIN_COLUMNS: readonly Column<ListedDealer>[] = [NAME, ...contact(false)];

const AGES = ["up to 30 days", "up to 60", "up to 90", "longer"] as const;

/** The vehicles on a lot, their number and their ages as one bar. */
const Units = ({ figures: { vehicles, ages } }: { figures: DealerFigures }) => (
  <TwoLineCell
    first={formatNumber(vehicles)}
    second={
      vehicles > 0 && (
        <span
          className="age-bar"
          role="img"
          aria-label={ages.map((count, group) => `${formatNumber(count)} ${AGES[group]}`).join(", ")}
          title={ages.map((count, group) => `${formatNumber(count)} ${AGES[group]}`).join(", ")}
        >
          {ages.map(
            (count, group) => count > 0 && <span key={AGES[group]} data-age={group + 1} style={{ flexGrow: count }} />,
          )}
        </span>
      )
    }
  />
);

/** A figure that is marked if the dealer needs help because of it. */
const Marked = ({ isMarked, value }: { isMarked: boolean; value: number | null }) => {
  if (value === null) return "—";
  return isMarked ? <StateBadge color="amber">{formatNumber(value)}</StateBadge> : formatNumber(value);
};

const LastFile = ({ figures: { last_file } }: { figures: DealerFigures }) =>
  last_file === null ? (
    "None"
  ) : (
    <TwoLineCell
      first={<RelativeTime at={last_file.at} />}
      second={
        last_file.failed > 0 && (
          <PageLink to={`/imports/${last_file.import_id}`}>{formatCount(last_file.failed, "row")} failed</PageLink>
        )
      }
    />
  );

/** A column of a figure; dealers without figures have none. */
const figure = (
  head: string,
  sort: string,
  cell: (figures: DealerFigures, dealer: ListedDealer) => ReturnType<Column<ListedDealer>["cell"]>,
): Column<ListedDealer> => ({
  head,
  sort,
  numeric: true,
  cell: (dealer) => (dealer.figures === undefined ? "—" : cell(dealer.figures, dealer)),
});

/** The columns for those who look after many dealers: how each stands. */
export const FIGURE_COLUMNS: readonly Column<ListedDealer>[] = [
  NAME,
  { ...figure("Units", "vehicles", (figures) => <Units figures={figures} />), numeric: false },
  {
    ...figure("Mean age", "age", ({ average_age }) => (average_age === null ? "—" : formatCount(average_age, "day"))),
    leaves: "first",
  },
  {
    ...figure("Quality", "quality", ({ quality, needs_help }) => (
      <Marked isMarked={needs_help.includes("quality")} value={quality} />
    )),
    firstOrder: "asc",
  },
  figure("Left out", "left_out", ({ left_out, needs_help }) => (
    <Marked isMarked={needs_help.includes("left_out")} value={left_out} />
  )),
  figure("Refused keys", "refused_keys", ({ refused_keys }, { id }) =>
    refused_keys === null || refused_keys === 0 ? (
      <Marked isMarked={false} value={refused_keys} />
    ) : (
      <PageLink to={`/dealers/${id}?tab=keys&sort=refused&order=desc`}>
        <Marked isMarked value={refused_keys} />
      </PageLink>
    ),
  ),
  {
    ...figure("Last file", "last_file", (figures) => <LastFile figures={figures} />),
    leaves: "second",
    numeric: false,
  },
  {
    ...figure("Last change", "last_change", ({ last_change }) => <RelativeTime at={last_change} />),
    leaves: "first",
    numeric: false,
  },
  ...contact(true),
];
