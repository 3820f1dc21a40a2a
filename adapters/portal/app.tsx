import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Redirect, Route, Router, Switch } from "wouter";
import { SecondFactorGate } from "./account/second-factor-gate.tsx";
import { makeQueryClient } from "./api/queries.ts";
import { InvitationPage } from "./entry/invitation-page.tsx";
import { Reauthentication } from "./entry/reauthentication.tsx";
import { SessionRenewal } from "./entry/session-renewal.tsx";
import { SignInPage } from "./entry/sign-in-page.tsx";
import { useFocusRecovery } from "./forms/focus.ts";
import { useGuardedNavigation } from "./forms/unsaved.ts";
import { UnsavedChanges } from "./forms/unsaved-changes.tsx";
import { FrameSkeleton } from "./frame/frame-skeleton.tsx";
import { ChosenFileProvider } from "./imports/chosen-file.tsx";
import { lazyPage } from "./page/lazy-page.tsx";
import { Page } from "./page/page.tsx";
import { QueryResult } from "./page/query-result.tsx";
import "./shared-parts.ts";
import { SessionProvider, useMay, useSession, useSessionQuery, wasSignedIn } from "./session/session.tsx";
import { SettingsProvider } from "./settings/settings.tsx";
import { Shell } from "./shell.tsx";
import { READABLE, THEME } from "./theme.ts";
import { firstDealerOf } from "./today/first-dealer.ts";

// No page waits for it: what is to be shown is kept until it is there.
const NotificationArea = lazy(() =>
  import("./page/notification-area.tsx").then(
    (room) => ({ default: room.NotificationArea }),
    () => ({ default: () => <></> }),
  ),
);

// Pages are loaded with those that are used together when one of them is first shown. Signing in is there at once.
const startPages = () => import("./start-pages.ts");
const keyPages = () => import("./key-pages.ts");
const peoplePages = () => import("./people-pages.ts");
const vehicleList = () => import("./vehicles/vehicles-page.tsx");
const vehicle = () => import("./vehicles/vehicle-page.tsx");
const dealerList = () => import("./dealers/dealers-page.tsx");
const dealerPages = () => import("./dealer-pages.ts");
const stockPages = () => import("./stock-pages.ts");
const importPages = () => import("./import-pages.ts");
const sourcePages = () => import("./source-pages.ts");
const channelPages = () => import("./channel-pages.ts");
const ownPages = () => import("./own-pages.ts");

const BASE = "/portal";

/** Where the pages of a section are, by how their addresses begin; with a slash, those below it, if these are elsewhere. */
const PAGES_AT: Readonly<Record<string, () => Promise<unknown>>> = {
  "": startPages,
  vehicles: vehicleList,
  dealers: dealerList,
  "dealers/": dealerPages,
  keys: keyPages,
  users: peoplePages,
  audit: peoplePages,
};

const OverviewPage = lazyPage(() => startPages().then((pages) => pages.OverviewPage));
const TodayPage = lazyPage(() => startPages().then((pages) => pages.TodayPage));
const AccountPage = lazyPage(() => ownPages().then((pages) => pages.AccountPage));
const SecondFactorSection = lazyPage(() => ownPages().then((pages) => pages.SecondFactorSection));
const AuditPage = lazyPage(() => peoplePages().then((pages) => pages.AuditPage));
const ChannelsPage = lazyPage(() => channelPages().then((pages) => pages.ChannelsPage));
const FeedPage = lazyPage(() => channelPages().then((pages) => pages.FeedPage));
const NewFeedPage = lazyPage(() => channelPages().then((pages) => pages.NewFeedPage));
const DealerPage = lazyPage(() => dealerPages().then((pages) => pages.DealerPage));
const DealersPage = lazyPage(() => dealerList().then((pages) => pages.DealersPage));
const NewDealerPage = lazyPage(() => dealerPages().then((pages) => pages.NewDealerPage));
const ImportPage = lazyPage(() => importPages().then((pages) => pages.ImportPage));
const ImportsPage = lazyPage(() => importPages().then((pages) => pages.ImportsPage));
const NewImportPage = lazyPage(() => importPages().then((pages) => pages.NewImportPage));
const SettingsPage = lazyPage(() => ownPages().then((pages) => pages.SettingsPage));
const KeyPage = lazyPage(() => keyPages().then((pages) => pages.KeyPage));
const KeysPage = lazyPage(() => keyPages().then((pages) => pages.KeysPage));
const NewKeyPage = lazyPage(() => keyPages().then((pages) => pages.NewKeyPage));
const RecentChangesPage = lazyPage(() => stockPages().then((pages) => pages.RecentChangesPage));
const SheetPage = lazyPage(() => stockPages().then((pages) => pages.SheetPage));
const ReportPage = lazyPage(() => stockPages().then((pages) => pages.ReportPage));
const NewSourcePage = lazyPage(() => sourcePages().then((pages) => pages.NewSourcePage));
const SourcePage = lazyPage(() => sourcePages().then((pages) => pages.SourcePage));
const SourcesPage = lazyPage(() => sourcePages().then((pages) => pages.SourcesPage));
const NewUserPage = lazyPage(() => peoplePages().then((pages) => pages.NewUserPage));
const UserPage = lazyPage(() => peoplePages().then((pages) => pages.UserPage));
const UsersPage = lazyPage(() => peoplePages().then((pages) => pages.UsersPage));
const ScheduledChangesPage = lazyPage(() => stockPages().then((pages) => pages.ScheduledChangesPage));
const NewVehicleOfAnyPage = lazyPage(() => stockPages().then((pages) => pages.NewVehicleOfAnyPage));
const NewVehiclePage = lazyPage(() => stockPages().then((pages) => pages.NewVehiclePage));
const RemovedPage = lazyPage(() => stockPages().then((pages) => pages.RemovedPage));
const VehiclePage = lazyPage(() => vehicle().then((pages) => pages.VehiclePage));
const VehiclesPage = lazyPage(() => vehicleList().then((pages) => pages.VehiclesPage));
const NewWebhookPage = lazyPage(() => channelPages().then((pages) => pages.NewWebhookPage));
const WebhookPage = lazyPage(() => channelPages().then((pages) => pages.WebhookPage));
const WebhooksPage = lazyPage(() => channelPages().then((pages) => pages.WebhooksPage));

/** Leads whoever has just signed in to the walk, whose page is another document. */
const ToWalk = ({ id }: { id: string }) => {
  useEffect(() => window.location.replace(`${BASE}/walk/${id}`), [id]);
  return null;
};

const NotFound = () => (
  <Page title="Page not found">
    <p>There is no page at this address.</p>
  </Page>
);

/** Users of one dealer start with its lot. The overview is about keys: users who may not see keys start elsewhere. */
const Start = () => {
  const may = useMay();
  const dealerId = firstDealerOf(useSession().user);
  if (dealerId !== null) return <TodayPage dealerId={dealerId} />;
  return may("keys:read") ? <OverviewPage /> : <Redirect to="/account" replace />;
};

const Pages = () => (
  <Switch>
    <Route path="/">
      <Start />
    </Route>
    <Route path="/overview" component={OverviewPage} />
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
    <Route path="/vehicles/scheduled" component={ScheduledChangesPage} />
    <Route path="/vehicles/report" component={ReportPage} />
    <Route path="/vehicles/sheet" component={SheetPage} />
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
    <Route path="/to-walk/:id">{({ id }) => <ToWalk id={id} />}</Route>
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
              <SecondFactorGate setUp={SecondFactorSection}>
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
      <Suspense fallback={null}>
        <NotificationArea />
      </Suspense>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  );
};

/** Loads the page at the present address while the session is read. If that fails, the page itself says so. */
const loadFirstPage = (): void => {
  const [section = "", below] = window.location.pathname.slice(BASE.length + 1).split("/");
  const pages = (below === undefined ? undefined : PAGES_AT[`${section}/`]) ?? PAGES_AT[section];
  if (wasSignedIn()) pages?.().catch(() => {});
};

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
export const App = ({ nonce }: { nonce: string }) => {
  useState(loadFirstPage);
  return (
    <Providers nonce={nonce}>
      <UnsavedChanges>
        <Addresses />
      </UnsavedChanges>
    </Providers>
  );
};
