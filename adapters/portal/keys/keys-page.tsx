import { Button } from "@mantine/core";
import { ListPage } from "../lists/list-page.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import { formatNumber } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { useMay } from "../session/session.tsx";
import { useKeyList } from "./key-list.tsx";

/** The visible keys: searched, filtered, sorted and paged by the server. */
export const KeysPage = () => {
  const may = useMay();
  const keys = useKeyList();
  const total = keys.query.data?.total;
  return (
    <ListPage
      {...keys}
      title="Keys"
      subtitle={total !== undefined && `${formatNumber(total)} ${total === 1 ? "key" : "keys"}`}
      actions={
        <>
          {/* It is no page of the portal. */}
          <Button component="a" href="/docs" variant="default">
            API reference
          </Button>
          {may("keys:write") && <LinkButton to="/keys/new">Create a key</LinkButton>}
        </>
      }
      empty={
        keys.list.isFiltered ? (
          <EmptyState title="No key matches">Search for something else, or clear the filters.</EmptyState>
        ) : (
          <EmptyState title="No keys yet">
            {may("keys:write") ? (
              <PageLink to="/keys/new">Create the first key</PageLink>
            ) : (
              "Ask an administrator to create one for you."
            )}
          </EmptyState>
        )
      }
    />
  );
};
