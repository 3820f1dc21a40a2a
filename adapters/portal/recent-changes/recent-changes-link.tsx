import { ActionIcon } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { Link } from "wouter";
import { admit } from "../../../core/access/decide.ts";
import { powersOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";

/** The page of recent changes of a dealer, or of all in reach. */
export const recentChangesPath = (dealerId: string | number = ""): string =>
  dealerId === "" ? "/vehicles/changes" : `/vehicles/changes?dealer_id=${dealerId}`;

/** True if the user may see recent changes, and revert them. */
export const useMayRevert = (): boolean => admit(powersOf(useSession().user), "vehicle.recent-changes") === null;

/** A clock that leads to recent changes: of the chosen dealer, if there is one. */
export const RecentChangesLink = ({ dealerId }: { dealerId: string }) =>
  useMayRevert() && (
    <ActionIcon
      component={Link}
      href={recentChangesPath(dealerId)}
      variant="default"
      size={36}
      aria-label="Recent changes"
      title="Recent changes"
    >
      <IconHistory size={18} aria-hidden />
    </ActionIcon>
  );
