import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { Page, type PageProps } from "./page.tsx";
import { type MenuItem, RecordMenu } from "./record-menu.tsx";

/** A tab of a record's page; the address keeps the name of the open one as `?tab=`. */
interface Tab {
  readonly name: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

interface RecordPageProps extends Omit<PageProps, "children"> {
  /** Menu items for rare or destructive actions; `false` items are left out. */
  readonly menu?: readonly (MenuItem | false)[];
  /** Above the columns or tabs, across the full width: figures, notices. */
  readonly above?: ReactNode;
  /** Tabs, one of them open; `false` items are left out. */
  readonly tabs?: readonly (Tab | false)[];
  /** Details: next to the main part on wide windows, below it on narrow ones. */
  readonly aside?: ReactNode;
  /** Below both, across the full width: the history. */
  readonly below?: ReactNode;
  /** The main part, and dialogs. */
  readonly children?: ReactNode;
}

/** The tabs of a record. Opening one adds a history entry and drops the filters of the previous tab. */
const RecordTabs = ({ tabs }: { tabs: readonly Tab[] }) => {
  const [params, setParams] = useSearchParams();
  const open = tabs.find(({ name }) => name === params.get("tab")) ?? tabs[0];
  return (
    <Tabs
      value={open?.name ?? null}
      keepMounted={false}
      onChange={(name) => setParams(name === tabs[0]?.name ? {} : { tab: name ?? "" })}
    >
      <Tabs.List className="record-tabs">
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name} className="record-tab">
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name}>
          {name === open?.name && content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};

/** The main part, and details at its right on wide windows. */
export const TwoColumns = ({ aside, children }: { aside?: ReactNode; children: ReactNode }) => {
  const hasAside = aside !== undefined && aside !== false;
  return (
    <div className={hasAside ? "record-columns with-aside" : "record-columns"}>
      <div className="record-work">{children}</div>
      {hasAside && <div className="record-aside">{aside}</div>}
    </div>
  );
};

/** The page of one record: breadcrumbs, name, state and actions, then the main part, the details and the history. */
export const RecordPage = ({
  menu = [],
  above,
  tabs = [],
  aside,
  below,
  children,
  actions,
  ...page
}: RecordPageProps) => {
  const shownTabs = tabs.filter((tab) => tab !== false);
  return (
    <Page
      {...page}
      actions={
        <>
          {actions}
          <RecordMenu name={page.title} items={menu} withBorder />
        </>
      }
    >
      {above}
      <TwoColumns aside={aside}>
        {shownTabs.length > 0 && <RecordTabs tabs={shownTabs} />}
        {children}
      </TwoColumns>
      {below}
    </Page>
  );
};
