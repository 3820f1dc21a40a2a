import { useKeyList } from "../keys/key-list.tsx";
import { Listing } from "../lists/listing.tsx";
import { Empty } from "../lists/record-list.tsx";

/** The keys that are bound to a dealer. */
export const DealerKeys = ({ dealerId }: { dealerId: number }) => {
  const keys = useKeyList(dealerId);
  return (
    <Listing
      {...keys}
      caption="Keys"
      empty={
        keys.list.isFiltered ? (
          <Empty title="No key matches">Search for something else, or clear the filters.</Empty>
        ) : (
          <Empty title="No keys yet">No key is bound to this dealer.</Empty>
        )
      }
    />
  );
};
