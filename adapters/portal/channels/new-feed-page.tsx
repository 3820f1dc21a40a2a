import { useState } from "react";
import { useLocation } from "wouter";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { FormPage } from "../forms/form-page.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { useUnits } from "../settings/settings.tsx";
import { AddressDialog, type FeedWithUrl, requireDealers } from "./feed-dialogs.tsx";
import { bodyOfFeed, emptyFeed } from "./feed-draft.ts";
import { FeedFields } from "./feed-fields.tsx";

/** Creates a feed, and shows its address once. */
export const NewFeedPage = () => {
  const [, go] = useLocation();
  const bound = bindingOf(useSession().user);
  const draft = useDraft(emptyFeed(bound, useUnits()));
  const [feedWithUrl, setFeedWithUrl] = useState<FeedWithUrl | null>(null);
  const create = async (): Promise<void> => {
    requireDealers(draft.values);
    setFeedWithUrl(await change<FeedWithUrl>("POST", "/feeds", bodyOfFeed(draft.values)));
  };
  return (
    <FormPage
      title="Create a feed"
      breadcrumbs={[["Channels", "/channels"]]}
      submit="Create the feed"
      cancelTo="/channels"
      isChanged={draft.isChanged && feedWithUrl === null}
      onSubmit={create}
      dialogs={
        feedWithUrl !== null && (
          <AddressDialog feedWithUrl={feedWithUrl} onClose={() => go(`/channels/${feedWithUrl.id}`)} />
        )
      }
    >
      <FeedFields draft={draft} />
    </FormPage>
  );
};
