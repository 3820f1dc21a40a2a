import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import type { OpenSession } from "../api/responses.ts";
import { RecordTable } from "../lists/record-table.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { RelativeTime } from "../times/times.tsx";
import { browserOf } from "./browser.ts";

interface SessionListProps {
  /** The path to read and end the sessions. */
  readonly path: string;
  readonly endAll: string;
  readonly readOnly?: boolean;
}

/** The open sessions of a user, each with a button to end it. */
export const SessionList = ({ path, endAll, readOnly }: SessionListProps) => {
  const sessions = useRecord<readonly OpenSession[]>(path);
  const end = useMutation({ mutationFn: (which: string) => change("DELETE", `${path}${which}`) });
  return (
    <Section
      title="Sessions"
      actions={
        !readOnly &&
        (sessions.data ?? []).some(({ current }) => !current) && (
          <Button size="compact-sm" variant="default" onClick={() => end.mutate("")}>
            {endAll}
          </Button>
        )
      }
    >
      {end.isError && (
        <Text size="sm" role="alert">
          {end.error.message}
        </Text>
      )}
      <QueryResult query={sessions} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm">Signed in nowhere.</Text>
          ) : (
            <Stack>
              <RecordTable
                caption="Sessions"
                rows={all}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: "Browser",
                    cell: ({ user_agent, current }) => `${browserOf(user_agent)}${current ? " (this one)" : ""}`,
                  },
                  { head: "Address", cell: ({ address }) => address ?? "Unknown" },
                  { head: "Signed in", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
                  { head: "Last seen", cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} /> },
                  {
                    head: "Action",
                    isHeadHidden: true,
                    cell: ({ id, current, user_agent }) =>
                      !current &&
                      !readOnly && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          aria-label={`End the session in ${browserOf(user_agent)}`}
                          onClick={() => end.mutate(`/${encodeURIComponent(id)}`)}
                        >
                          End
                        </Button>
                      ),
                  },
                ]}
              />
            </Stack>
          )
        }
      </QueryResult>
    </Section>
  );
};
