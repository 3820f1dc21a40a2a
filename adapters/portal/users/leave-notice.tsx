import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { PresentedUser } from "../../../core/users/user.ts";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import type { GivenBack, Leave } from "../api/responses.ts";
import { UserLink } from "../choices/user-choice.tsx";
import { formatCount } from "../page/figures.tsx";
import { Notice } from "../page/notice.tsx";
import { notify, notifyFailure } from "../page/notify.tsx";
import { DateTime } from "../times/times.tsx";

const undone = (name: string, { keys, omitted }: GivenBack): string =>
  `${name} is active again${keys === 0 ? "" : `, with ${formatCount(keys, "key")}`}.${
    omitted === 0 ? "" : ` ${formatCount(omitted, "key")} changed meanwhile and stayed as they are.`
  }`;

/** Where the keys went. */
const Keys = ({ keys, transferred, new_owner_id, new_owner_name }: NonNullable<Leave["left"]>) => {
  if (keys === 0) return "There were no keys to revoke.";
  const count = formatCount(keys, "key");
  if (!transferred) return `${count} revoked.`;
  if (new_owner_id === null) return `${count} transferred to a user whom you do not see.`;
  return (
    <>
      {count} transferred to <UserLink id={new_owner_id} name={new_owner_name} />.
    </>
  );
};

/** Says of a deactivated user when they left and where the keys went, and takes it back for a day. */
export const LeaveNotice = ({ record, mayUndo }: { readonly record: PresentedUser; readonly mayUndo: boolean }) => {
  const { data } = useRecord<Leave>(`/users/${record.id}/leave`);
  const undo = useMutation({
    mutationFn: () => change<GivenBack>("POST", `/users/${record.id}/return`),
    onSuccess: (given) => notify(undone(record.name, given)),
    onError: (error) => notifyFailure(error),
  });
  const left = data?.left ?? null;
  if (left === null) return null;
  const isOpen = mayUndo && Date.parse(left.undo_until) > Date.now();
  return (
    <Notice title={`${record.name} left`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          <DateTime at={left.at} />. <Keys {...left} />
        </Text>
        {isOpen && (
          <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
            Undo
          </Button>
        )}
      </Group>
    </Notice>
  );
};
