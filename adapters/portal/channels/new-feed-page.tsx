import { useState } from "react";
import { useLocation } from "wouter";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { useUnits } from "../settings/settings.tsx";
import { FormPage } from "../shell/form-page.tsx";
import { AddressDialog, type FeedWithUrl, requireDealers } from "./feed-dialogs.tsx";
import { bodyOfFeed, emptyFeed } from "./feed-draft.ts";
import { FeedFields } from "./feed-fields.tsx";

/** Creates a feed, and shows its address once. */
export const NewFeedPage = () => {
  const [, go] = useLocation();
  const bound = bindingOf(useSession().user);
  const draft = useDraft(emptyFeed(bound, useUnits()));
  const [shown, setShown] = useState<FeedWithUrl | null>(null);
  const create = async (): Promise<void> => {
    requireDealers(draft.values);
    setShown(await change<FeedWithUrl>("POST", "/feeds", bodyOfFeed(draft.values)));
  };
  return (
    <FormPage
      title="Create a feed"
      breadcrumbs={[["Channels", "/channels"]]}
      submit="Create the feed"
      cancelTo="/channels"
      isChanged={draft.isChanged && shown === null}
      onSubmit={create}
      dialogs={shown !== null && <AddressDialog shown={shown} onClose={() => go(`/channels/${shown.id}`)} />}
    >
      <FeedFields draft={draft} />
    </FormPage>
  );
};
