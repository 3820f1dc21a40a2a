import { Group } from "@mantine/core";
import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import { useList } from "../api/queries.ts";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { UpcomingTime, useTimeFormats } from "../times/times.tsx";
import { CancelSchedule } from "./cancel-schedule.tsx";
import { changesInWords } from "./schedule-words.ts";

/** So many are shown. */
const AT_MOST = 20;

/** What is scheduled for a vehicle, each with *Cancel*; nothing if nothing is. */
export const ScheduledSection = ({ vehicleId }: { vehicleId: number }) => {
  const { price } = useAmountFormats();
  const { full } = useTimeFormats();
  const { data } = useList<Schedule>("/scheduled-changes", {
    vehicle_id: vehicleId,
    state: "scheduled",
    limit: AT_MOST,
  });
  const scheduled = (data?.items ?? []).toSorted((one, other) => one.at.localeCompare(other.at));
  if (scheduled.length === 0) return null;
  return (
    <Section title="Scheduled" actions={<PageLink to="/vehicles/scheduled">All</PageLink>}>
      <ul className="scheduled" aria-label="Scheduled changes">
        {scheduled.map((schedule) => (
          <li key={schedule.id}>
            <Group justify="space-between" gap="xs">
              <span>
                <UpcomingTime at={schedule.at} />
                <span className="second-line">
                  {changesInWords(schedule, price)}
                  {schedule.total > 1 && `, with ${schedule.total - 1} others`}
                </span>
              </span>
              <CancelSchedule
                schedule={schedule}
                words={`${changesInWords(schedule, price)} on ${full(schedule.at)}`}
              />
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  );
};
