import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useSearch } from "wouter";
import { isUnusualChange } from "../../../core/vehicles/price-doubt.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { ApiError } from "../api/client.ts";
import { useList } from "../api/queries.ts";
import { issueMessage, labelOfPath } from "../forms/issue-messages.ts";
import { useOpenForm } from "../forms/unsaved.ts";
import type { RowResults } from "../lists/bulk-change.tsx";
import { useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import { formatCount, formatNumber } from "../page/figures.tsx";
import { LinkButton } from "../page/link.tsx";
import { notifyFailure } from "../page/notify.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { useUndoableChanges } from "../vehicles/bulk-request.ts";
import { useVehicleFilters } from "../vehicles/vehicle-filters.ts";
import { vehicleQueryOf } from "../vehicles/vehicle-list.ts";
import { changesOf, type Edits, editCount } from "./cells.ts";
import { SheetGrid } from "./sheet-grid.tsx";

/** The vehicles of one sheet: beyond it, a filter says which. */
const MOST_ROWS = 200;
/** So many requests are under way at the same time. */
const AT_ONCE = 6;

const NO_EDITS: Edits = new Map();

/** What became of a save: the vehicles that were saved, as they were, and why others were not. */
interface Outcome {
  readonly saved: readonly Vehicle[];
  readonly refusals: ReadonlyMap<number, string>;
  readonly isUndone: boolean;
}
const NOTHING: Outcome = { saved: [], refusals: new Map(), isUndone: false };

const isPriceUnusual = (vehicle: Vehicle, edits: Edits): boolean => {
  const { price } = changesOf(edits.get(vehicle.id) ?? {});
  return typeof price === "number" && isUnusualChange(vehicle.price, price);
};

const wordsOf = ({ saved, refusals, isUndone }: Outcome): string => {
  if (isUndone) return `${formatCount(saved.length, "vehicle")} as before.`;
  const kept = refusals.size > 0 ? ` ${formatCount(refusals.size, "vehicle")} not saved: see beside them.` : "";
  return `${formatCount(saved.length, "vehicle")} saved.${kept}`;
};

/** Every vehicle of a request that was refused as a whole, with the reason. */
const refusedAll =
  (rows: readonly Vehicle[]) =>
  (error: unknown): RowResults<Vehicle> => {
    if (!(error instanceof ApiError)) throw error;
    const note = error.details.map(
      (issue) => `${labelOfPath(issue.path)}: ${issueMessage(issue, { label: labelOfPath(issue.path) })}`,
    );
    return new Map(rows.map((row) => [row, { status: "refused", note: note.join("; ") || error.sentence }]));
  };

const Sheet = ({ vehicles }: { readonly vehicles: readonly Vehicle[] }) => {
  const [edits, setEdits] = useState(NO_EDITS);
  const [outcome, setOutcome] = useState(NOTHING);
  const { changeVehicles, undoAll, forgetMade } = useUndoableChanges();
  const edited = vehicles.filter(({ id }) => edits.has(id));
  const unusual = edited.filter((vehicle) => isPriceUnusual(vehicle, edits)).length;

  /** Saves the vehicles, those with the same changes together. What is refused stays in the sheet, with the reason. */
  const save = useMutation({
    mutationFn: async () => {
      forgetMade();
      const groups = [...Map.groupBy(edited, ({ id }) => JSON.stringify(changesOf(edits.get(id) ?? {})))];
      const results: RowResults<Vehicle>[] = [];
      for (let first = 0; first < groups.length; first += AT_ONCE)
        results.push(
          ...(await Promise.all(
            groups
              .slice(first, first + AT_ONCE)
              .map(([changes, rows]) => changeVehicles(rows, { changes: JSON.parse(changes) }).catch(refusedAll(rows))),
          )),
        );
      return results.flatMap((some) => [...some]);
    },
    onSuccess: (results) => {
      const refusals = new Map(
        results.flatMap(([{ id }, { status, note }]) => (status === "done" ? [] : [[id, String(note)] as const])),
      );
      const saved = results.flatMap(([vehicle, { status }]) => (status === "done" ? [vehicle] : []));
      setEdits((before) => new Map([...before].filter(([id]) => refusals.has(id))));
      setOutcome({ saved, refusals, isUndone: false });
    },
    onError: (error) => notifyFailure(error),
  });
  const undo = useMutation({
    mutationFn: () => undoAll(outcome.saved),
    onSuccess: () => setOutcome({ ...outcome, refusals: new Map(), isUndone: true }),
    onError: (error) => notifyFailure(error),
  });
  useOpenForm(edits.size > 0, save.isPending);
  const discard = (): void => {
    setEdits(NO_EDITS);
    setOutcome(NOTHING);
  };
  return (
    <>
      <div className="sheet-bar">
        <Text size="sm" role="status">
          {edits.size > 0
            ? `${formatCount(editCount(edits), "change")} in ${formatCount(edits.size, "vehicle")}.${
                unusual > 0 ? ` ${formatCount(unusual, "price")} by more than a fifth.` : ""
              }`
            : outcome.saved.length + outcome.refusals.size > 0
              ? wordsOf(outcome)
              : "Type into a cell, paste from a spreadsheet, or fill down with Ctrl+D."}
        </Text>
        <Group gap="xs">
          {edits.size > 0 && (
            <>
              <Button loading={save.isPending} onClick={() => save.mutate()}>
                Save
              </Button>
              <Button variant="default" disabled={save.isPending} onClick={discard}>
                Discard
              </Button>
            </>
          )}
          {edits.size === 0 && outcome.saved.length > 0 && !outcome.isUndone && (
            <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
              Undo
            </Button>
          )}
        </Group>
      </div>
      <SheetGrid vehicles={vehicles} edits={edits} refusals={outcome.refusals} onChange={setEdits} />
    </>
  );
};

/** The vehicles of a list as a sheet, whose cells are edited in place and saved together. */
export const SheetPage = () => {
  const list = useListState();
  const search = useSearch();
  const filters = useVehicleFilters(list, bindingOf(useSession().user) === null);
  const query = useList<Vehicle>("/vehicles", { ...vehicleQueryOf(list, filters).ordered, limit: MOST_ROWS });
  const total = query.data?.total ?? 0;
  return (
    <Page
      title="Sheet"
      breadcrumbs={[["Vehicles", `/vehicles${search === "" ? "" : `?${search}`}`]]}
      subtitle={
        total > MOST_ROWS
          ? `The first ${MOST_ROWS} of ${formatNumber(total)} vehicles: filter the list for others`
          : formatCount(total, "vehicle")
      }
    >
      <QueryResult query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No vehicle matches">
              <LinkButton to="/vehicles">Back to the list</LinkButton>
            </EmptyState>
          ) : (
            <Sheet vehicles={items} />
          )
        }
      </QueryResult>
    </Page>
  );
};
