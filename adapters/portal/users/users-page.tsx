import { ListPage } from "../lists/list-page.tsx";
import { Empty } from "../lists/record-list.tsx";
import { useMay } from "../session/session.tsx";
import { counted } from "../shell/figures.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
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
      line={total !== undefined && counted(total, "user")}
      actions={mayWrite && <LinkButton to="/users/new">Invite a user</LinkButton>}
      empty={
        users.list.isFiltered ? (
          <Empty title="No user matches">Search for something else, or clear the filters.</Empty>
        ) : (
          <Empty title="No users yet">{mayWrite && <PageLink to="/users/new">Invite the first user</PageLink>}</Empty>
        )
      }
    />
  );
};
