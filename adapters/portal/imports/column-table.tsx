import { NativeSelect, Table, Text } from "@mantine/core";
import { useId } from "react";
import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import { isImportField } from "../../../core/imports/headings/headings.ts";
import { shortened } from "../../../core/text.ts";
import { assignColumns, FIELD_CHOICES, withChosenColumn } from "./columns.ts";
import type { FirstRows } from "./first-rows.ts";

/** Longer cells, such as descriptions and lists of images, are cut off. */
const MAX_LENGTH = 60;

interface ColumnTableProps {
  readonly firstRows: FirstRows;
  /** Why the file cannot be read. */
  readonly problem: string | null;
  readonly ownColumns: OwnColumns;
  readonly onChange: (ownColumns: OwnColumns) => void;
}

/** The first rows of a file. A menu below each heading shows the column's field, and changes it. */
export const ColumnTable = ({ firstRows, problem, ownColumns, onChange }: ColumnTableProps) => {
  const id = useId();
  const { heading, rows } = firstRows;
  const { fields, guessed, fault } = assignColumns(firstRows, ownColumns);
  const choose = (at: number, word: string): void =>
    onChange(withChosenColumn(firstRows, ownColumns, { at, field: isImportField(word) ? word : null }));
  if (problem !== null)
    return (
      <Text size="sm" c="red" role="alert">
        {problem}
      </Text>
    );
  if (heading.length === 0)
    return <Text size="sm">The first row is too long to be shown here. The service reads all of it.</Text>;
  return (
    <>
      {fault !== null && (
        <Text size="sm" c="red" role="alert">
          {fault}
        </Text>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here */}
      <div role="group" className="table-scroll" tabIndex={0} aria-label="First rows, table">
        <Table>
          <Table.Caption className="hidden-caption">First rows</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {heading.map((name, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position, and headings may repeat
                <Table.Th key={at} scope="col" className="column-head">
                  <span id={`${id}-${at}`} className="heading">
                    {name.trim() === "" ? `Column ${at + 1}` : name}
                  </span>
                  <NativeSelect
                    size="xs"
                    aria-labelledby={`${id}-${at}`}
                    value={fields[at] ?? ""}
                    {...(fields[at] === null && { "data-unread": true })}
                    onChange={({ currentTarget }) => choose(at, currentTarget.value)}
                    data={FIELD_CHOICES}
                  />
                  {guessed.has(at) && <span className="second-line">Guessed from its cells</span>}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((cells, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
              <Table.Tr key={place}>
                {heading.map((name, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
                  <Table.Td key={`${name} ${at}`} {...(fields[at] === null && { c: "dimmed" })}>
                    {shortened(String(cells[at] ?? ""), MAX_LENGTH)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
};
