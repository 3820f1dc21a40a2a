import { List } from "@mantine/core";
import { tellingWarnings } from "../../../core/imports/file-warnings.ts";
import type { Import, ImportRow } from "../../../core/imports/import.ts";
import { useList } from "../api/queries.ts";
import { formatCount, formatNumber } from "../page/figures.tsx";
import { Notice } from "../page/notice.tsx";
import { fieldTitle } from "./columns.ts";
import { withLabels } from "./import-options.ts";
import { useValueInWords } from "./import-rows.tsx";
import { hasAssumptions, isDryRun } from "./import-words.ts";

/** How many rows leave what people corrected, and the first of them. */
const KeptValues = ({ record }: { record: Import }) => {
  const inWords = useValueInWords();
  const { data } = useList<ImportRow>(`/imports/${record.id}/rows`, { outcome: "kept", limit: 1 });
  const [row] = data?.items ?? [];
  const [first] = row?.kept ?? [];
  const count = record.counts.kept ?? 0;
  return (
    <>
      {formatCount(count, "vehicle")} {count === 1 ? "keeps" : "keep"} what somebody corrected, until the file says
      something new
      {first !== undefined &&
        `, such as ${row?.key ?? "one"}: ${fieldTitle(first.field)} ${inWords(first.field, first.ours)}, the file says ${inWords(first.field, first.file)}`}
      .
    </>
  );
};

/** All that was assumed about a file, not read of it, or left as it was, each with an example. */
export const Assumptions = ({ record }: { record: Import }) => {
  if (!hasAssumptions(record)) return null;
  const ofFile = tellingWarnings(record.warnings);
  const { row_warnings: ofRows, counts } = record;
  return (
    <Notice title={isDryRun(record) ? "What is assumed, or stays as it is" : "What was assumed, or stayed as it was"}>
      <List size="sm" className="wraps">
        {ofFile.map(({ path, code, message }) => (
          <List.Item key={`${code} ${path}`}>
            {path === "" ? "The file:" : <strong>{path}</strong>} {withLabels(message)}
          </List.Item>
        ))}
        {ofRows.map(({ path, code, message, count, line }) => (
          <List.Item key={`${code} ${path}`}>
            {path !== "" && <strong>{path}</strong>} {count === 1 ? "in" : `in ${formatCount(count, "row")}, such as`}{" "}
            line {formatNumber(line)}: {withLabels(message)}
          </List.Item>
        ))}
        {(counts.kept ?? 0) > 0 && (
          <List.Item>
            <KeptValues record={record} />
          </List.Item>
        )}
      </List>
    </Notice>
  );
};
