import { useKeyList } from "../keys/key-list.tsx";
import { Listing } from "../lists/listing.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import { PageLink } from "../page/link.tsx";
import { useMay } from "../session/session.tsx";

/** The keys of a dealer. */
export const DealerKeys = ({ dealerId }: { dealerId: number }) => {
  const may = useMay();
  const keys = useKeyList(dealerId);
  return (
    <Listing
      {...keys}
      caption="Keys"
      empty={
        keys.list.isFiltered ? (
          <EmptyState title="No key matches">Search for something else, or clear the filters.</EmptyState>
        ) : (
          <EmptyState title="No keys yet">
            {may("keys:write") ? (
              <PageLink to={`/keys/new?dealer_id=${dealerId}`}>Create its first key</PageLink>
            ) : (
              "No key is bound to this dealer."
            )}
          </EmptyState>
        )
      }
    />
  );
};
