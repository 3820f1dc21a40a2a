import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { Page, type PageProps } from "./page.tsx";
import { type MenuItem, RecordMenu } from "./record-menu.tsx";

/** A part of a record's page, shown alone; its name is kept in the address as `?tab=`. */
interface Tab {
  readonly name: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

interface RecordPageProps extends Omit<PageProps, "children"> {
  /** Menu items for rare or destructive actions; `false` items are left out. */
  readonly menu?: readonly (MenuItem | false)[];
  /** Above the columns or tabs, over the whole width: figures, notices. */
  readonly above?: ReactNode;
  /** Tabs, of which one is open; `false` items are left out. */
  readonly tabs?: readonly (Tab | false)[];
  /** Details beside the work where there is width, below it elsewhere. */
  readonly aside?: ReactNode;
  /** Below both, over the whole width: the history. */
  readonly below?: ReactNode;
  /** The work; dialogs too. */
  readonly children?: ReactNode;
}

/** The parts of a record, one of them open; changing is an entry of the history, without the other part's filters. */
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

/** The work at the left, and details beside it where there is width. */
export const TwoColumns = ({ aside, children }: { aside?: ReactNode; children: ReactNode }) => {
  const hasAside = aside !== undefined && aside !== false;
  return (
    <div className={hasAside ? "record-columns with-aside" : "record-columns"}>
      <div className="record-work">{children}</div>
      {hasAside && <div className="record-aside">{aside}</div>}
    </div>
  );
};

/**
 * The page of one record: where it is, its name and state, actions; its work at the left, its details at the right, its
 * history last.
 */
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
