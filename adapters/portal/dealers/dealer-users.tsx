import { Listing } from "../lists/listing.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import { useUserList } from "../users/user-list.tsx";

/** The users of a dealer. */
export const DealerUsers = ({ dealerId }: { dealerId: number }) => {
  const users = useUserList(dealerId);
  return (
    <Listing
      {...users}
      caption="Users"
      empty={
        users.list.isFiltered ? (
          <EmptyState title="No user matches">Search for something else, or clear the filters.</EmptyState>
        ) : (
          <EmptyState title="No users yet">Nobody belongs to this dealer.</EmptyState>
        )
      }
    />
  );
};
