import { fieldInWords } from "../../../core/audit/field-words.ts";
import type { Todo } from "../../../core/today/do-next.ts";
import type { ListedAgeGroup, Today } from "../../../core/today/today.ts";
import { formatCount, formatNumber } from "../page/counts.ts";

/** The path of what is on a dealer's lot today. */
export const todayPath = (dealerId: number): string => `/dealers/${dealerId}/today`;

/** Links of a dealer's page. Users who see one dealer only need no filter for it. */
export interface Links {
  /** The vehicles on the lot, with these filters too. */
  readonly lot: (filters?: Readonly<Record<string, string | number>>) => string;
  readonly report: string;
}

const ON_LOT = ["available", "pending"] as const;

/** The links for a dealer; `isOwn` for users who see no other one. */
export const linksOf = (dealerId: number, isOwn: boolean): Links => ({
  lot: (filters = {}) => {
    const query = new URLSearchParams(ON_LOT.map((status): [string, string] => ["status", status]));
    if (!isOwn) query.set("dealer_id", String(dealerId));
    for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
    return `/vehicles?${query}`;
  },
  report: isOwn ? "/vehicles/report" : `/dealers/${dealerId}?tab=report`,
});

/** The days of vehicles on the lot: "up to 30 days", "31 to 60 days". */
export const daysInWords = ({ from, to }: Pick<ListedAgeGroup, "from" | "to">): string => {
  if (to === null) return `over ${from - 1} days`;
  return from === 0 ? `up to ${to} days` : `${from} to ${to} days`;
};

/** The link to the vehicles of an age. */
export const ageLink = (links: Links, { filter }: Pick<ListedAgeGroup, "filter">): string =>
  links.lot({
    min_days_on_lot: filter.min_days_on_lot,
    ...(filter.max_days_on_lot !== undefined && { max_days_on_lot: filter.max_days_on_lot }),
  });

/** How something is going: `null` if it is as it was. */
type Trend = "better" | "worse" | null;

/** A figure of the page with a note below it. */
export interface LinkedFigure {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly trend: Trend;
  readonly to: string;
}

const averageAge = ({
  now,
  week_ago: before,
}: Today["average_age"]): Pick<LinkedFigure, "value" | "note" | "trend"> => {
  const value = formatCount(now, "day");
  if (now === before) return { value, note: "As a week ago", trend: null };
  const change = formatNumber(Math.abs(now - before));
  return now > before
    ? { value, note: `${change} more than a week ago`, trend: "worse" }
    : { value, note: `${change} fewer than a week ago`, trend: "better" };
};

const soldTrend = ({ this_month: now, last_month: before }: Today["sold"]): Trend => {
  if (now === before) return null;
  return now > before ? "better" : "worse";
};

const leftOut = (all: readonly NonNullable<Today["left_out"]>[number][]): LinkedFigure => {
  const [first] = all;
  if (first === undefined)
    return {
      name: "Left out of channels",
      value: "0",
      note: "No channel fetched a feed",
      trend: null,
      to: "/channels",
    };
  const { feed_id: id, name, left_out: count, reason } = first;
  const isOne = reason !== null && reason.count === count;
  const note = count === 0 ? "All are in it" : isOne ? "All for one reason" : `Of ${formatNumber(count + first.rows)}`;
  return { name: `Left out of ${name}`, value: formatNumber(count), note, trend: null, to: `/channels/${id}` };
};

/** The figures at the top, each with the page that it leads to. */
export const figuresOf = (
  today: Pick<Today, "on_lot" | "average_age" | "sold" | "without_images" | "left_out">,
  { links, price }: { readonly links: Links; readonly price: (amount: number) => string },
): readonly LinkedFigure[] => {
  const { on_lot, average_age, sold, without_images: bare } = today;
  return [
    { name: "On the lot", value: formatNumber(on_lot.count), note: price(on_lot.value), trend: null, to: links.lot() },
    { name: "Average age", ...averageAge(average_age), to: links.lot({ sort: "days_on_lot", order: "desc" }) },
    {
      ...{ name: "Sold this month", value: formatNumber(sold.this_month), to: links.report },
      ...{ note: `${formatNumber(sold.last_month)} by this day last month`, trend: soldTrend(sold) },
    },
    {
      ...{ name: "Without photos", value: bare === null ? "–" : formatNumber(bare), trend: null },
      ...{ note: bare === null ? "Too many to count" : `Of ${formatNumber(on_lot.count)}` },
      to: links.lot({ has_images: "false" }),
    },
    ...(today.left_out === null ? [] : [leftOut(today.left_out)]),
  ];
};

/** A sentence about what is to be done, what more is to be said, and the button that leads there. */
export interface TodoWords {
  readonly sentence: string;
  readonly detail: string;
  readonly action: string;
  readonly to: string;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const reasonInWords = ({ count, reason }: Pick<Todo, "count" | "reason">): string => {
  if (reason === null) return "Its channel left them out when it last fetched the feed.";
  const { rule, field, message } = reason;
  const isAll = reason.count >= count;
  if (rule === "required_empty" && field !== null)
    return `The ${fieldInWords(field)} is empty on ${isAll ? "all of them" : `${formatNumber(reason.count)} of them`}.`;
  const about = field === null ? message : `${capital(fieldInWords(field))}: ${message}`;
  return isAll ? about : `Mostly: ${about}`;
};

const feedLink = ({ id, reason }: Pick<Todo, "id" | "reason">): string => {
  const rule = reason === null ? {} : { rule: reason.rule, field: reason.field ?? "" };
  return `/channels/${id}?${new URLSearchParams({ severity: "error", ...rule })}`;
};

const listed = (words: readonly string[]): string => new Intl.ListFormat("en", { type: "conjunction" }).format(words);

/** The codes with which keys are refused, in words; others stand for themselves. */
const REFUSALS: Readonly<Record<string, string>> = {
  rate_limited: "it was over its limit",
  permission_missing: "a permission was missing",
  not_your_dealer: "it asked for another dealer",
};

/** What is to be done, in words. */
export const todoWords = (todo: Todo, price: (amount: number) => string): TodoWords => {
  const { kind, count, of, id, name, code, vehicle_ids: ids, file_prices: prices } = todo;
  const vehicles = formatCount(count, "vehicle");
  const isOne = count === 1;
  switch (kind) {
    case "left_out":
      return {
        sentence: `${vehicles} ${isOne ? "is" : "are"} left out of ${name}`,
        ...{ detail: reasonInWords(todo), action: "Mend", to: feedLink(todo) },
      };
    case "failed_rows":
      return {
        sentence: `${formatCount(count, "row")} of the last file ${isOne ? "is" : "are"} left`,
        ...{ detail: `Of ${formatNumber(of ?? count)} rows; the others are in.`, action: "Mend", to: `/imports/${id}` },
      };
    case "no_sale_price":
      return {
        sentence: `${formatCount(count, "sold vehicle")} ${isOne ? "has" : "have"} no sale price`,
        detail: `${isOne ? "It counts" : "They count"} in no value of the report until then.`,
        ...{ action: "Enter", to: `/vehicles/${ids[0]}` },
      };
    case "price_differs":
      return {
        sentence: `${formatCount(count, "price")} ${isOne ? "differs" : "differ"} from the file by hand`,
        detail: `The file says ${listed(prices.slice(0, 3).map(price))}${count > 3 ? " …" : "."}`,
        ...{ action: "Compare", to: `/vehicles/${ids[0]}` },
      };
    default:
      return {
        sentence: `Key “${name}” was refused ${formatNumber(count)} of ${formatNumber(of ?? count)} times`,
        detail: `In the last 24 hours${code === null ? "" : `, mostly as ${REFUSALS[code] ?? `“${code}”`}`}.`,
        ...{ action: "See", to: `/keys/${id}` },
      };
  }
};
