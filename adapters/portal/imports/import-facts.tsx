import { List } from "@mantine/core";
import { tellingWarnings } from "../../../core/imports/file-warnings.ts";
import type { Import } from "../../../core/imports/import.ts";
import { DealerLink } from "../choices/dealer-choice.tsx";
import { Facts } from "../page/facts.tsx";
import { formatNumber } from "../page/figures.tsx";
import { Section } from "../page/section.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { DateTime } from "../times/times.tsx";
import { fieldTitle } from "./columns.ts";
import { optionFacts, withLabels } from "./import-options.ts";
import { importedBy, labelIn, MISSING, MODES, sizeInWords } from "./import-words.ts";

/** The facts of an import: its dealer, its options, and the field of each column. */
export const ImportFacts = ({ record }: { record: Import }) => {
  const { file, options, dealer_id: dealerId } = record;
  const telling = new Set(tellingWarnings(record.warnings));
  const plain = record.warnings.filter((warning) => !telling.has(warning));
  const isOfAll = bindingOf(useSession().user) === null;
  return (
    <>
      <Section title="Details">
        <Facts
          facts={[
            ...(isOfAll
              ? [
                  [
                    "Dealer",
                    dealerId === null ? "As the file says" : <DealerLink key="dealer" id={dealerId} />,
                  ] as const,
                ]
              : []),
            [
              "File",
              `${formatNumber(file.rows)} rows, ${sizeInWords(file.bytes)}, ${file.sheet === null ? file.charset : `sheet ${file.sheet}`}`,
            ],
            ["What it does", labelIn(MODES, record.mode)],
            ...(record.mode === "snapshot" ? [["Missing vehicles", labelIn(MISSING, options.missing)] as const] : []),
            ...optionFacts(options),
            ["Sent", <DateTime key="sent" at={record.created_at} />],
            ["By", importedBy(record)],
          ]}
        />
      </Section>
      <Section title="Columns">
        <Facts
          facts={record.columns.map(({ heading, field }, at) => [
            heading.trim() === "" ? `Column ${at + 1}` : heading,
            field === null ? "Not read" : fieldTitle(field),
          ])}
        />
        {plain.length > 0 && (
          <List size="sm">
            {plain.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                <strong>{path}</strong> {withLabels(message)}
              </List.Item>
            ))}
          </List>
        )}
      </Section>
    </>
  );
};
