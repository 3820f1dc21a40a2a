import { Text } from "@mantine/core";
import type { Feed } from "../../../core/feeds/feed.ts";
import { change } from "../api/client.ts";
import { DealerName } from "../choices/dealer-choice.tsx";
import { CopyText } from "../forms/copy-text.tsx";
import { DeleteDialog } from "../forms/delete-dialog.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { EditRecord } from "../forms/edit-record.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { RotateDialog } from "../keys/rotate-dialog.tsx";
import { ShowOnceDialog } from "../keys/secret-dialogs.tsx";
import { notify } from "../page/notify.tsx";
import { bodyOfFeed, draftOfFeed, issuesOfFeed, withStore } from "./feed-draft.ts";
import { FeedFields } from "./feed-fields.tsx";

/** A feed with its address, which the service returns only once. */
export interface FeedWithUrl extends Feed {
  readonly url: string;
}

type FeedDialogProps = RecordDialogProps<Feed>;

/** Shows the address of a feed once; the user must confirm that it is copied. */
export const AddressDialog = ({ feedWithUrl, onClose }: { feedWithUrl: FeedWithUrl; onClose: () => void }) => (
  <ShowOnceDialog
    title={`The address of ${feedWithUrl.name}`}
    notice="Give it to the channel. It is shown this once: the service keeps no copy. Whoever has it can fetch the feed."
    confirmLabel="I have copied the address"
    onClose={onClose}
  >
    <CopyText label="Address of the feed" text={feedWithUrl.url} />
  </ShowOnceDialog>
);

const STORE_PATH = /^store_codes\.(\d+)$/;

/** Changes a feed; the field at `focus` gets the focus first. */
export const EditFeed = ({ focus, ...dialog }: FeedDialogProps & { readonly focus?: string | undefined }) => {
  const [, dealerId] = STORE_PATH.exec(focus ?? "") ?? [];
  return (
    <EditRecord
      {...dialog}
      focus={focus}
      resource="feeds"
      path={`/feeds/${dialog.record.id}`}
      draftOf={(feed) => withStore(draftOfFeed(feed), dealerId === undefined ? null : Number(dealerId))}
      bodyOf={bodyOfFeed}
      nameOf={({ name }) => name}
      issuesOf={issuesOfFeed}
    >
      {({ draft }) => <FeedFields draft={draft} />}
    </EditRecord>
  );
};

/** Gives a feed a new address, and shows it. */
export const RotateFeed = ({ record, onClose }: FeedDialogProps) => (
  <RotateDialog
    title="Give this feed a new address?"
    path={`/feeds/${record.id}/rotate`}
    label="Grace for the old address"
    ending="it"
    explain={(endsNow) => (
      <Text size="sm">
        {endsNow
          ? "The channel cannot fetch the feed any more until it is told the new address."
          : "The old address goes on working until the grace ends; older ones end now."}
      </Text>
    )}
    showOnce={(feedWithUrl: FeedWithUrl, close) => <AddressDialog feedWithUrl={feedWithUrl} onClose={close} />}
    onClose={onClose}
  />
);

/** Asks before a held feed is served again. */
export const ReleaseFeed = ({ record, onClose }: FeedDialogProps) => (
  <ConfirmDialog
    title={`Release ${record.name}?`}
    confirm="Release"
    onClose={onClose}
    onConfirm={async () => {
      await change("POST", `/feeds/${record.id}/release`);
      notify(`${record.name} is released.`);
    }}
  >
    <Text size="sm">
      The channel gets what the feed has at its next fetch, and takes away the listings of all other vehicles.
    </Text>
  </ConfirmDialog>
);

/** Asks before a feed is served with the permissions of the signed-in user. */
export const TakeOverFeed = ({ record, onClose }: FeedDialogProps) => (
  <ConfirmDialog
    title={`Take ${record.name} over?`}
    confirm="Take over"
    onClose={onClose}
    onConfirm={async () => {
      await change("PUT", `/feeds/${record.id}`, { dealer_ids: record.dealer_ids });
      notify(`${record.name} is taken over.`);
    }}
  >
    <Text size="sm">It is served by your right from then on, as long as you may read these vehicles.</Text>
  </ConfirmDialog>
);

/** Asks before a feed is deleted, then leaves its page. */
export const DeleteFeed = ({ record: { id, name }, onClose }: FeedDialogProps) => (
  <DeleteDialog name={name} path={`/feeds/${id}`} page={`/channels/${id}`} onClose={onClose}>
    <Text size="sm">
      Its address says from then on that the feed is gone, and the channel takes its listings away. This cannot be
      undone. Vehicles stay as they are.
    </Text>
  </DeleteDialog>
);

/** The dealer of a feed by name, or the number of dealers. */
export const FeedDealers = ({ feed: { dealer_ids: ids } }: { feed: Feed }) => {
  const [onlyId, ...others] = ids ?? [];
  if (onlyId === undefined) return "All dealers";
  return others.length === 0 ? <DealerName id={onlyId} /> : `${others.length + 1} dealers`;
};
