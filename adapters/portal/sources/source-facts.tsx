import type { Source } from "../../../core/sources/source.ts";
import { DealerLink } from "../choices/dealer-choice.tsx";
import { fieldTitle } from "../imports/columns.ts";
import { optionFacts } from "../imports/import-options.ts";
import { labelIn, MISSING, MODES } from "../imports/import-words.ts";
import { ownersInWords } from "../imports/owner-fields.tsx";
import { Facts } from "../page/facts.tsx";
import { Section } from "../page/section.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { UpcomingTime } from "../times/times.tsx";
import { scheduleInWords } from "./schedule.ts";

/** Credentials without their secret. */
export const authInWords = (auth: Source["auth"]): string => {
  if (auth === null) return "None";
  return auth.type === "basic" ? `User ${auth.user}` : `Header ${auth.name}`;
};

/** The address of a source, when it is fetched, and how its files are imported. */
export const SourceFacts = ({ record }: { record: Source }) => {
  const { options } = record;
  const isOfAll = bindingOf(useSession().user) === null;
  const columns = Object.entries(options.columns);
  return (
    <>
      <Section title="Details">
        <Facts
          facts={[
            ...(isOfAll ? [["Dealer", <DealerLink key="dealer" id={record.dealer_id} />] as const] : []),
            ["Address", record.url],
            ["Credentials", authInWords(record.auth)],
            ["Schedule", scheduleInWords(record.schedule)],
            ["Time zone", record.timezone],
            ["Next run", record.next_run_at === null ? "None" : <UpcomingTime key="next" at={record.next_run_at} />],
          ]}
        />
      </Section>
      <Section title="Its imports">
        <Facts
          facts={[
            ["What they do", labelIn(MODES, options.mode)],
            ...(options.mode === "snapshot"
              ? ([
                  ["Missing vehicles", labelIn(MISSING, options.missing)],
                  ["Asks above", `${options.max_missing_percent} percent`],
                ] as const)
              : []),
            ...(options.dry_run ? ([["Only checked", "Nothing is changed"]] as const) : []),
            ...optionFacts(options),
            ...(options.mapping === undefined ? [] : [["Mapping", `Number ${options.mapping}`] as const]),
            ...ownersInWords(record.field_owners),
          ]}
        />
      </Section>
      {columns.length > 0 && (
        <Section title="Columns">
          <Facts
            facts={columns.map(
              ([heading, field]) => [heading, field === null ? "Not read" : fieldTitle(field)] as const,
            )}
          />
        </Section>
      )}
    </>
  );
};
