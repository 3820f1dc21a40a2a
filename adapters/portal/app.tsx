import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Redirect, Route, Router, Switch } from "wouter";
import { makeQueryClient } from "./api/queries.ts";
import { Answered, Loading } from "./lists/answered.tsx";
import { InvitationPage } from "./session/invitation-page.tsx";
import { SessionProvider, useMay, useSessionQuery } from "./session/session.tsx";
import { SignInPage } from "./session/sign-in-page.tsx";
import { Page } from "./shell/page.tsx";
import { Shell } from "./shell/shell.tsx";
import { READABLE, THEME } from "./theme.ts";

const OverviewPage = lazy(() => import("./overview/overview-page.tsx"));
const KeysPage = lazy(() => import("./keys/keys-page.tsx"));
const NewKeyPage = lazy(() => import("./keys/new-key-page.tsx"));
const KeyPage = lazy(() => import("./keys/key-page.tsx"));
const UsersPage = lazy(() => import("./users/users-page.tsx"));
const NewUserPage = lazy(() => import("./users/new-user-page.tsx"));
const UserPage = lazy(() => import("./users/user-page.tsx"));
const DealersPage = lazy(() => import("./dealers/dealers-page.tsx"));
const NewDealerPage = lazy(() => import("./dealers/new-dealer-page.tsx"));
const DealerPage = lazy(() => import("./dealers/dealer-page.tsx"));
const NewVehiclePage = lazy(() => import("./vehicles/new-vehicle-page.tsx"));
const VehiclePage = lazy(() => import("./vehicles/vehicle-page.tsx"));
const AuditPage = lazy(() => import("./audit/audit-page.tsx"));
const AccountPage = lazy(() => import("./account/account-page.tsx"));

const NotFound = () => (
  <Page title="Page not found">
    <p>There is no page at this address.</p>
  </Page>
);

/** The overview is about keys; who may not see any starts elsewhere. */
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
    <Route path="/vehicles/:id">{({ id }) => <VehiclePage key={id} id={id} />}</Route>
    <Route path="/audit" component={AuditPage} />
    <Route path="/account" component={AccountPage} />
    <Route component={NotFound} />
  </Switch>
);

const SignedIn = () => {
  const session = useSessionQuery();
  return (
    <Answered query={session}>
      {(user) =>
        user === null ? (
          <SignInPage />
        ) : (
          <SessionProvider session={user}>
            <Shell>
              <Suspense fallback={<Loading />}>
                <Pages />
              </Suspense>
            </Shell>
          </SessionProvider>
        )
      }
    </Answered>
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

/** The whole portal: links of invitations open to anybody, everything else behind the sign-in. */
export const App = ({ nonce }: { nonce: string }) => (
  <Providers nonce={nonce}>
    <Router base="/portal">
      <Switch>
        <Route path="/invitations/:token">{({ token }) => <InvitationPage token={token} />}</Route>
        <Route component={SignedIn} />
      </Switch>
    </Router>
  </Providers>
);
