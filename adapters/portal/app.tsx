import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Redirect, Route, Router, Switch } from "wouter";
import { AccountPage } from "./account/account-page.tsx";
import { SecondFactorGate } from "./account/second-factor-gate.tsx";
import { makeQueryClient } from "./api/queries.ts";
import { AuditPage } from "./audit/audit-page.tsx";
import { ChannelsPage } from "./channels/channels-page.tsx";
import { FeedPage } from "./channels/feed-page.tsx";
import { NewFeedPage } from "./channels/new-feed-page.tsx";
import { DealerPage } from "./dealers/dealer-page.tsx";
import { DealersPage } from "./dealers/dealers-page.tsx";
import { NewDealerPage } from "./dealers/new-dealer-page.tsx";
import { InvitationPage } from "./entry/invitation-page.tsx";
import { Reauthentication } from "./entry/reauthentication.tsx";
import { SessionRenewal } from "./entry/session-renewal.tsx";
import { SignInPage } from "./entry/sign-in-page.tsx";
import { useFocusRecovery } from "./forms/focus.ts";
import { useGuardedNavigation } from "./forms/unsaved.ts";
import { UnsavedChanges } from "./forms/unsaved-changes.tsx";
import { FrameSkeleton } from "./frame/frame-skeleton.tsx";
import { ChosenFileProvider } from "./imports/chosen-file.tsx";
import { ImportPage } from "./imports/import-page.tsx";
import { ImportsPage } from "./imports/imports-page.tsx";
import { NewImportPage } from "./imports/new-import-page.tsx";
import { SettingsPage } from "./installation/settings-page.tsx";
import { KeyPage } from "./keys/key-page.tsx";
import { KeysPage } from "./keys/keys-page.tsx";
import { NewKeyPage } from "./keys/new-key-page.tsx";
import { OverviewPage } from "./overview/overview-page.tsx";
import { Page } from "./page/page.tsx";
import { QueryResult } from "./page/query-result.tsx";
import { RecentChangesPage } from "./recent-changes/recent-changes-page.tsx";
import { ReportPage } from "./reports/report-page.tsx";
import { SessionProvider, useMay, useSessionQuery, wasSignedIn } from "./session/session.tsx";
import { SettingsProvider } from "./settings/settings.tsx";
import { Shell } from "./shell.tsx";
import { NewSourcePage } from "./sources/new-source-page.tsx";
import { SourcePage } from "./sources/source-page.tsx";
import { SourcesPage } from "./sources/sources-page.tsx";
import { READABLE, THEME } from "./theme.ts";
import { NewUserPage } from "./users/new-user-page.tsx";
import { UserPage } from "./users/user-page.tsx";
import { UsersPage } from "./users/users-page.tsx";
import { NewVehicleOfAnyPage, NewVehiclePage } from "./vehicles/new-vehicle-page.tsx";
import { RemovedPage } from "./vehicles/removed-page.tsx";
import { VehiclePage } from "./vehicles/vehicle-page.tsx";
import { VehiclesPage } from "./vehicles/vehicles-page.tsx";
import { NewWebhookPage } from "./webhooks/new-webhook-page.tsx";
import { WebhookPage } from "./webhooks/webhook-page.tsx";
import { WebhooksPage } from "./webhooks/webhooks-page.tsx";

const NotFound = () => (
  <Page title="Page not found">
    <p>There is no page at this address.</p>
  </Page>
);

/** The overview is about keys: users who may not see keys start elsewhere. */
const Start = () => (useMay()("keys:read") ? <OverviewPage /> : <Redirect to="/account" replace />);

const Pages = () => (
  <Switch>
    <Route path="/">
      <Start />
    </Route>
    <Route path="/keys" component={KeysPage} />
    <Route path="/keys/new" component={NewKeyPage} />
    <Route path="/keys/:id">{({ id }) => <KeyPage key={id} id={id} />}</Route>
    <Route path="/users" component={UsersPage} />
    <Route path="/users/new" component={NewUserPage} />
    <Route path="/users/:id">{({ id }) => <UserPage key={id} id={id} />}</Route>
    <Route path="/dealers" component={DealersPage} />
    <Route path="/dealers/new" component={NewDealerPage} />
    <Route path="/dealers/:id">{({ id }) => <DealerPage key={id} id={id} />}</Route>
    <Route path="/dealers/:id/vehicles/new">{({ id }) => <NewVehiclePage key={id} dealerId={id} />}</Route>
    <Route path="/vehicles" component={VehiclesPage} />
    <Route path="/vehicles/removed" component={RemovedPage} />
    <Route path="/vehicles/changes" component={RecentChangesPage} />
    <Route path="/vehicles/report" component={ReportPage} />
    <Route path="/vehicles/new" component={NewVehicleOfAnyPage} />
    <Route path="/vehicles/:id">{({ id }) => <VehiclePage key={id} id={id} />}</Route>
    <Route path="/imports" component={ImportsPage} />
    <Route path="/imports/new" component={NewImportPage} />
    <Route path="/imports/sources" component={SourcesPage} />
    <Route path="/imports/sources/new" component={NewSourcePage} />
    <Route path="/imports/sources/:id">{({ id }) => <SourcePage key={id} id={id} />}</Route>
    <Route path="/imports/:id">{({ id }) => <ImportPage key={id} id={id} />}</Route>
    <Route path="/channels" component={ChannelsPage} />
    <Route path="/channels/new" component={NewFeedPage} />
    <Route path="/channels/:id">{({ id }) => <FeedPage key={id} id={id} />}</Route>
    <Route path="/webhooks" component={WebhooksPage} />
    <Route path="/webhooks/new" component={NewWebhookPage} />
    <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
    <Route path="/audit" component={AuditPage} />
    <Route path="/settings" component={SettingsPage} />
    <Route path="/account" component={AccountPage} />
    <Route component={NotFound} />
  </Switch>
);

const SignedIn = () => {
  const session = useSessionQuery();
  return (
    <QueryResult query={session} placeholder={wasSignedIn() ? <FrameSkeleton /> : null}>
      {(read) => (
        <SessionRenewal session={read} signIn={<SignInPage />}>
          {(user) => (
            <SessionProvider session={user}>
              <SecondFactorGate>
                <SettingsProvider>
                  <Reauthentication>
                    <ChosenFileProvider>
                      <Shell>
                        <Pages />
                      </Shell>
                    </ChosenFileProvider>
                  </Reauthentication>
                </SettingsProvider>
              </SecondFactorGate>
            </SessionProvider>
          )}
        </SessionRenewal>
      )}
    </QueryResult>
  );
};

const Providers = ({ nonce, children }: { nonce: string; children: ReactNode }) => {
  const [client] = useState(makeQueryClient);
  return (
    <MantineProvider
      theme={THEME}
      cssVariablesResolver={READABLE}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  );
};

const BASE = "/portal";

const Addresses = () => {
  useFocusRecovery();
  return (
    <Router base={BASE} aroundNav={useGuardedNavigation(BASE)}>
      <Switch>
        <Route path="/invitations/:token">{({ token }) => <InvitationPage token={token} />}</Route>
        <Route component={SignedIn} />
      </Switch>
    </Router>
  );
};

/** The whole portal: anybody can open invitation links; everything else needs a session. */
export const App = ({ nonce }: { nonce: string }) => (
  <Providers nonce={nonce}>
    <UnsavedChanges>
      <Addresses />
    </UnsavedChanges>
  </Providers>
);
