import type { Today } from "../../../core/today/today.ts";
import { useRecord } from "../api/queries.ts";
import { LinkButton } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { useTimeFormats } from "../times/times.tsx";
import { TodayView } from "./today-view.tsx";
import { todayPath } from "./today-words.ts";

/** What is on a dealer's lot today, read with one request. */
export const DealerToday = ({ dealerId }: { dealerId: number }) => {
  const isOwn = bindingOf(useSession().user) !== null;
  const today = useRecord<Today>(todayPath(dealerId), {}, { staleMs: 30_000 });
  return (
    <QueryResult query={today} lines={10}>
      {(read) => <TodayView today={read} isOwn={isOwn} />}
    </QueryResult>
  );
};

/** The first page of users of one dealer. */
export const TodayPage = ({ dealerId }: { dealerId: number }) => {
  const { dealer } = useSession();
  const mayAdd = useMay()("vehicles:write");
  const { longDay } = useTimeFormats();
  return (
    <Page
      title="Today on the lot"
      subtitle={[longDay(new Date().toISOString()), dealer?.name].filter((part) => part !== undefined).join(" · ")}
      actions={
        <>
          <LinkButton to={`/to-walk/${dealerId}`} variant="default">
            Walk the lot
          </LinkButton>
          {mayAdd && <LinkButton to={`/dealers/${dealerId}/vehicles/new`}>Add a vehicle</LinkButton>}
        </>
      }
    >
      <DealerToday dealerId={dealerId} />
    </Page>
  );
};
