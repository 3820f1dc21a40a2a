import type { ReactNode } from "react";
import { Page, type PageProps } from "../page/page.tsx";
import { type MenuItem, RecordMenu } from "../page/record-menu.tsx";
import { Listing, type ListingProps } from "./listing.tsx";
import { Views } from "./views.tsx";

interface ListPageProps<Row> extends Omit<ListingProps<Row>, "caption"> {
  /** The title of the page and caption of the table. */
  readonly title: string;
  /** The pages above this one, the outermost first. */
  readonly breadcrumbs?: NonNullable<PageProps["breadcrumbs"]>;
  /** One line of figures below the title. */
  readonly subtitle?: ReactNode;
  /** A small button beside that of the views. */
  readonly besideViews?: ReactNode;
  /** At most two buttons after that of the views; only the main one is filled. */
  readonly actions?: ReactNode;
  /** Menu items for rare actions; `false` items are left out. */
  readonly pageMenu?: readonly (MenuItem | false)[];
  /** Dialogs of the page. */
  readonly children?: ReactNode;
}

/** A page with one list of records, whose views users can save by name. */
export const ListPage = <Row,>({
  title,
  breadcrumbs,
  subtitle,
  besideViews,
  actions,
  pageMenu = [],
  children,
  ...listing
}: ListPageProps<Row>) => (
  <Page
    title={title}
    {...(breadcrumbs !== undefined && { breadcrumbs })}
    subtitle={subtitle}
    actions={
      <>
        <Views noun={listing.noun} />
        {besideViews}
        {actions}
        <RecordMenu name={title} items={pageMenu} withBorder />
      </>
    }
  >
    <Listing caption={title} {...listing} />
    {children}
  </Page>
);
