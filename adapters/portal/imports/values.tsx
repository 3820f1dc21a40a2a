import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Import } from "../../../core/imports/import.ts";
import { knownValuesOf } from "../../../core/imports/values/known-values.ts";
import { useOpenForm } from "../forms/unsaved.ts";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { formatCount, formatNumber } from "../page/figures.tsx";
import { notify, notifyFailure } from "../page/notify.tsx";
import { Section } from "../page/section.tsx";
import { checkFile } from "./check-file.ts";
import { useChosenFile } from "./chosen-file.tsx";
import { fieldTitle } from "./columns.ts";
import { saveMeanings } from "./saved-values.ts";

type Unknown = Import["unknown_values"][number];

/** The choice that leaves a value as it is. */
const AS_IT_IS = "";

const keyOf = ({ field, value }: Unknown): string => `${field} ${value}`;

/** What each value means, by its key: what was chosen, or else what the service proposes. */
type Chosen = Readonly<Record<string, string>>;

const meaningOf = (chosen: Chosen, unknown: Unknown): string => chosen[keyOf(unknown)] ?? unknown.guess ?? AS_IT_IS;

const columnsOf = (chosen: Chosen, onChoose: (unknown: Unknown, value: string) => void): readonly Column<Unknown>[] => [
  { head: "In the file", cell: ({ value }) => value },
  { head: "Field", cell: ({ field }) => fieldTitle(field) },
  { head: "Rows", numeric: true, cell: ({ count }) => formatNumber(count) },
  {
    head: "Means",
    cell: (unknown) => (
      <NativeSelect
        size="xs"
        aria-label={`${fieldTitle(unknown.field)} ${unknown.value} means`}
        value={meaningOf(chosen, unknown)}
        onChange={({ currentTarget }) => onChoose(unknown, currentTarget.value)}
        data={[
          { value: AS_IT_IS, label: unknown.field === "status" ? "Not known" : "As it is" },
          ...knownValuesOf(unknown.field).map((value) => ({
            value,
            label: value === unknown.guess ? `${value} (proposed)` : value,
          })),
        ]}
      />
    ),
  },
];

/**
 * The values of a file that the service does not know, each with what it may mean. What is chosen is kept for the next
 * files, and the file is checked again if it is still there.
 */
export const Values = ({ record }: { readonly record: Import }) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const { chosen: file, setChosen: setFile } = useChosenFile();
  const [chosen, setChosen] = useState<Chosen>({});
  const isAgain = file?.importId === record.id && file.draft !== null && record.state === "previewed";
  const meanings = record.unknown_values
    .map((unknown) => ({ field: unknown.field, word: unknown.value, value: meaningOf(chosen, unknown) }))
    .filter(({ value }) => value !== AS_IT_IS);
  const save = useMutation({
    async mutationFn() {
      const values = await saveMeanings(record, meanings);
      if (!isAgain || file?.draft == null) return null;
      const checked = await checkFile(file.file, file.draft, { columns: record.options.columns, values });
      setFile({ ...file, importId: checked.id });
      return checked.id;
    },
    async onSuccess(id) {
      await client.invalidateQueries();
      notify(
        `${formatCount(meanings.length, "word")} ${meanings.length === 1 ? "is" : "are"} kept for the next files.`,
      );
      setChosen({});
      if (id !== null) go(`/imports/${id}`);
    },
    onError: (error) => notifyFailure(error),
  });
  useOpenForm(Object.keys(chosen).length > 0 && !save.isSuccess, save.isPending);
  return (
    <Section title="Values">
      <Text size="sm">
        The service does not know these values. Say what they mean; the next files of this dealer are then read so.
        {isAgain ? " This file is checked again." : " This import stays as it is."}
      </Text>
      <RecordTable
        caption="Values"
        columns={columnsOf(chosen, (unknown, value) => setChosen((before) => ({ ...before, [keyOf(unknown)]: value })))}
        rows={record.unknown_values}
        keyOf={keyOf}
      />
      <Group gap="xs" mt="sm">
        <Button
          disabled={meanings.length === 0 || record.dealer_id === null}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {isAgain ? "Keep and check again" : "Keep for the next files"}
        </Button>
        {record.dealer_id === null && (
          <Text size="sm" c="dimmed">
            The file has several dealers, each with words of its own: say them in a file of one dealer.
          </Text>
        )}
      </Group>
    </Section>
  );
};
