import type { DateOrder } from "../../settings/date-order.ts";
import { dateOrderOf } from "../values/dates.ts";
import { withoutFormula } from "../values/reading.ts";

/** What the cells of a column say about the order of day and month. It is stored with the file. */
export interface ColumnDates {
  /** The order of most cells that can be read in one way only, or else of the first of them; `null` if none decides. */
  readonly order: DateOrder | null;
  /** A cell that can be read in both ways, as an example; `null` if there is none. */
  readonly unclear: string | null;
}

interface Votes {
  dmy: number;
  mdy: number;
  first: DateOrder | null;
  unclear: string | null;
}

const orderOf = ({ dmy, mdy, first }: Votes): DateOrder | null => {
  if (dmy === mdy) return first;
  return dmy > mdy ? "dmy" : "mdy";
};

/** Looks at every cell of a file while it arrives, and finds the order of day and month in each column. */
export class DateSurvey<Column> {
  private readonly votes = new Map<Column, Votes>();

  add(column: Column, cell: unknown): void {
    const text = withoutFormula(cell);
    const order = typeof text === "string" ? dateOrderOf(text) : null;
    if (order === null) return;
    let votes = this.votes.get(column);
    if (votes === undefined) {
      votes = { dmy: 0, mdy: 0, first: null, unclear: null };
      this.votes.set(column, votes);
    }
    if (order === "either") votes.unclear ??= String(text);
    else {
      votes[order]++;
      votes.first ??= order;
    }
  }

  of(column: Column): ColumnDates | null {
    const votes = this.votes.get(column);
    return votes === undefined ? null : { order: orderOf(votes), unclear: votes.unclear };
  }
}
