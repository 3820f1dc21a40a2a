import { ListPage } from "../lists/list-page.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import { formatCount } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { useMay } from "../session/session.tsx";
import { useUserList } from "./user-list.tsx";

/** The visible users: searched, filtered, sorted and paged by the server. */
export const UsersPage = () => {
  const mayWrite = useMay()("users:write");
  const users = useUserList();
  const total = users.query.data?.total;
  return (
    <ListPage
      {...users}
      title="Users"
      subtitle={total !== undefined && formatCount(total, "user")}
      actions={mayWrite && <LinkButton to="/users/new">Invite a user</LinkButton>}
      empty={
        users.list.isFiltered ? (
          <EmptyState title="No user matches">Search for something else, or clear the filters.</EmptyState>
        ) : (
          <EmptyState title="No users yet">
            {mayWrite && <PageLink to="/users/new">Invite the first user</PageLink>}
          </EmptyState>
        )
      }
    />
  );
};
