import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { cellNamesOf } from "../../../core/imports/cell-names.ts";
import type { Import, RowWithCells } from "../../../core/imports/import.ts";
import type { ImportIssue } from "../../../core/imports/import-issue.ts";
import type { MendedResult, MendingAnswer } from "../../../core/imports/mending.ts";
import { change, readList } from "../api/client.ts";
import { useOpenForm } from "../forms/unsaved.ts";
import { formatCount, formatNumber } from "../page/figures.tsx";
import { notify, notifyFailure } from "../page/notify.tsx";
import { QueryResult, RowsSkeleton } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { withLabels } from "./import-options.ts";

/** The failed rows that are shown at once. More of them are mended in the file. */
const MOST_ROWS = 50;

/** What was typed into the cells of each row, by its number and what the cell is called. */
type Typed = Readonly<Record<number, Readonly<Record<string, string>>>>;

const mend = (record: Import, rows: Typed, isCheck: boolean): Promise<MendingAnswer> =>
  change<MendingAnswer>("POST", `/imports/${record.id}/mend`, {
    rows: Object.entries(rows).map(([row, cells]) => ({ row: Number(row), cells })),
    dry_run: isCheck,
  });

/** True if nothing is wrong with a row any more. */
const isGood = ({ outcome }: MendedResult): boolean => outcome !== "failed" && outcome !== "not_found";

/** A column that is read, and what its cells are called. */
interface ReadColumn {
  readonly name: string;
  readonly heading: string;
}

const readColumns = ({ columns }: Import): readonly ReadColumn[] => {
  const names = cellNamesOf(columns);
  return columns.flatMap(({ heading, field }, place) =>
    field === null ? [] : [{ heading, name: names[place] ?? heading }],
  );
};

/** The columns whose cells can be typed: those that a row was refused for, or all that are read if it says none. */
const openColumns = ({ errors }: RowWithCells, read: readonly ReadColumn[]): readonly ReadColumn[] => {
  const named = read.filter(({ heading }) => errors.some(({ path }) => path === heading));
  return named.length > 0 && errors.every(({ path }) => path !== "") ? named : read;
};

const textOf = (cells: Readonly<Record<string, unknown>>, name: string): string | null =>
  Object.hasOwn(cells, name) ? String(cells[name] ?? "") : null;

interface MendRowProps {
  readonly record: Import;
  readonly row: RowWithCells;
  readonly typed: Readonly<Record<string, string>>;
  readonly checked: MendedResult | undefined;
  readonly onChange: (name: string, text: string) => void;
  readonly onLeave: () => void;
}

const wordsOf = (issues: readonly ImportIssue[]): string => issues.map(({ message }) => withLabels(message)).join("; ");

/** One failed row: what it is, why it failed, and its cells as fields. */
const MendRow = ({ record, row, typed, checked, onChange, onLeave }: MendRowProps) => {
  const { cells = {} } = row;
  const read = readColumns(record);
  const open = openColumns(row, read);
  const rest = read.filter((column) => !open.includes(column));
  const identity = rest.map(({ name }) => textOf(cells, name)).filter((cell) => cell !== null && cell !== "");
  const errors = checked?.errors ?? row.errors;
  const errorOf = (heading: string): string => wordsOf(errors.filter(({ path }) => path === heading));
  const others = errors.filter(({ path }) => !open.some(({ heading }) => heading === path));
  const place = row.line === null ? `Row ${row.row}` : `Line ${formatNumber(row.line)}`;
  return (
    <li className="mend-row" onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || onLeave()}>
      <Text size="sm">
        <strong>{place}</strong> {identity.slice(0, 6).join(" · ")}
      </Text>
      <Group gap="sm" align="flex-start">
        {open.map(({ name, heading }) => (
          <TextInput
            key={name}
            size="xs"
            label={name}
            aria-label={`${name}, ${place.toLowerCase()}`}
            autoComplete="off"
            value={textOf(typed, name) ?? textOf(cells, name) ?? ""}
            error={errorOf(heading) || undefined}
            onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
          />
        ))}
      </Group>
      {checked !== undefined && isGood(checked) ? (
        <Text size="sm" role="status">
          Good: {checked.outcome === "created" ? "it will be a new vehicle" : "it will be imported"}.
        </Text>
      ) : (
        others.length > 0 && (
          <Text size="sm" c="red">
            {others.map((one) => `${one.path} ${withLabels(one.message)}`.trim()).join("; ")}
          </Text>
        )
      )}
    </li>
  );
};

const MendList = ({ record, rows }: { readonly record: Import; readonly rows: readonly RowWithCells[] }) => {
  const client = useQueryClient();
  const [typed, setTyped] = useState<Typed>({});
  const [checked, setChecked] = useState<ReadonlyMap<number, MendedResult>>(new Map());
  const note = ({ results }: MendingAnswer): void =>
    setChecked((before) => new Map([...before, ...results.map((result) => [result.row, result] as const)]));
  const check = useMutation({
    mutationFn: (row: number) => mend(record, { [row]: typed[row] ?? {} }, true),
    onSuccess: note,
    onError: (error) => notifyFailure(error),
  });
  const importThem = useMutation({
    mutationFn: () => mend(record, typed, false),
    onSuccess: async (answer) => {
      note(answer);
      const good = answer.results.filter(isGood);
      const left = answer.results.length - good.length;
      const isWithoutPhotos = good.some(({ warnings }) => warnings.some(({ code }) => code === "photo_not_fetched"));
      notify(
        `${formatCount(good.length, "row")} imported${left > 0 ? `, ${formatNumber(left)} not` : ""}.${isWithoutPhotos ? " Their photos stay addresses, as this import fetches none any more." : ""}`,
      );
      setTyped((before) =>
        Object.fromEntries(Object.entries(before).filter(([row]) => !good.some((one) => one.row === Number(row)))),
      );
      await client.invalidateQueries();
    },
    onError: (error) => notifyFailure(error),
  });
  const changed = Object.keys(typed).length;
  useOpenForm(changed > 0, importThem.isPending);
  return (
    <>
      <ul className="mend-rows" aria-label="Rows to mend">
        {rows.map((row) => {
          const number = row.row ?? 0;
          return (
            <MendRow
              key={number}
              record={record}
              row={row}
              typed={typed[number] ?? {}}
              checked={checked.get(number)}
              onChange={(name, text) =>
                setTyped((before) => ({ ...before, [number]: { ...before[number], [name]: text } }))
              }
              onLeave={() => typed[number] !== undefined && check.mutate(number)}
            />
          );
        })}
      </ul>
      <Group gap="xs" mt="sm">
        <Button disabled={changed === 0} loading={importThem.isPending} onClick={() => importThem.mutate()}>
          {changed === 1 ? "Import this row" : `Import these ${formatNumber(changed)}`}
        </Button>
      </Group>
    </>
  );
};

/** The failed rows of an import that has ended, as fields: each is checked when it is left, and then imported. */
export const MendRows = ({ record }: { readonly record: Import }) => {
  const { failed } = record.counts;
  const path = `/imports/${record.id}/rows`;
  const query = useQuery({
    queryKey: [path, "to mend"],
    queryFn: () => readList<RowWithCells>(path, { outcome: "failed", cells: "true", limit: MOST_ROWS }),
  });
  return (
    <Section title="Mend the failed rows">
      <Text size="sm">
        Type what is wrong in a row; it is checked when you leave it.
        {failed > MOST_ROWS &&
          ` These are the first ${MOST_ROWS} of ${formatNumber(failed)}: it may be quicker to mend the file.`}
      </Text>
      <QueryResult query={query} placeholder={<RowsSkeleton lines={3} />}>
        {({ items }) => <MendList record={record} rows={items.filter(({ cells }) => cells !== undefined)} />}
      </QueryResult>
    </Section>
  );
};
