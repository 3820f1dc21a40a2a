import type { ReactNode } from "react";
import { Page } from "../shell/page.tsx";
import { Listing, type ListingProps } from "./listing.tsx";
import { Views } from "./views.tsx";

interface ListPageProps<Row> extends Omit<ListingProps<Row>, "caption"> {
  /** The page's name, and the table's. */
  readonly title: string;
  /** One line of figures below the name. */
  readonly line?: ReactNode;
  /** At most two buttons beside that of the views; only the main one is filled. */
  readonly actions?: ReactNode;
  /** Dialogs of the page. */
  readonly children?: ReactNode;
}

/** A page with one list of records, whose views can be kept under names. */
export const ListPage = <Row,>({ title, line, actions, children, ...listing }: ListPageProps<Row>) => (
  <Page
    title={title}
    line={line}
    actions={
      <>
        <Views noun={listing.noun} />
        {actions}
      </>
    }
  >
    <Listing caption={title} {...listing} />
    {children}
  </Page>
);
