import { Text } from "@mantine/core";
import { PageLink } from "../page/link.tsx";
import { Notice } from "../page/notice.tsx";
import { useSession } from "../session/session.tsx";

/** Advises super-admins without a second factor to set one up. */
export const SecondFactorAdvice = () => {
  const { user, second_factor } = useSession();
  if (user.role !== "super_admin" || second_factor) return null;
  return (
    <Notice title="Protect your account with a second factor">
      <Text size="sm">You are a super-admin: whoever learns your password can do everything here.</Text>
      <PageLink to="/account">Set up a second factor</PageLink>
    </Notice>
  );
};
