import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { PresentedUsage } from "../../../core/keys/usage.ts";
import { useRecord } from "../api/queries.ts";
import { Notice } from "../page/notice.tsx";
import { RelativeTime } from "../times/times.tsx";
import { requestsIn } from "./usage-spans.ts";

const figures = new Intl.NumberFormat();

/** Who uses a key now, to show what will break. */
export const Impact = ({ record, children }: { record: PresentedKey; children: ReactNode }) => {
  const usage = useRecord<PresentedUsage>(`/keys/${record.id}/usage`);
  const lastUse = usage.data?.last_use ?? null;
  const lastAt = lastUse?.at ?? record.last_used_at;
  const requests = usage.data === undefined ? null : requestsIn(usage.data.hours);
  return (
    <Notice title={record.name}>
      <Text size="sm">
        {lastAt === null ? (
          "This key was never used."
        ) : (
          <>
            Used <RelativeTime at={lastAt} />
            {lastUse?.address != null && ` by ${lastUse.address}`}
            {requests !== null &&
              `, ${figures.format(requests)} ${requests === 1 ? "request" : "requests"} in the last 24 hours`}
            .
          </>
        )}
      </Text>
      <Text size="sm">{children}</Text>
    </Notice>
  );
};
