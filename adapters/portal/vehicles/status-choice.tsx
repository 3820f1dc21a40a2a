import { Button, Menu } from "@mantine/core";
import { IconCheck, IconChevronDown } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { notifyFailure } from "../page/notify.tsx";
import { useMay } from "../session/session.tsx";
import { SellVehicle } from "./sell-vehicle.tsx";
import { useStatusChange } from "./status-change.ts";
import { STATUS_CHOICES, statusInWords, titleOf } from "./vehicle-words.ts";

const StatusMenu = ({ vehicle }: { vehicle: Vehicle }) => {
  const button = useRef<HTMLButtonElement>(null);
  const [isSelling, setSelling] = useState(false);
  const changeStatus = useStatusChange(vehicle);
  const setting = useMutation({
    mutationFn: (status: Status) => changeStatus(status, `${titleOf(vehicle)} is ${status}.`),
    onError: (error) => notifyFailure(error),
  });
  const shown = setting.isPending ? setting.variables : vehicle.status;
  const choose = (status: Status): void => {
    // The chosen item disappears.
    button.current?.focus();
    if (status === vehicle.status || setting.isPending) return;
    if (status === "sold") setSelling(true);
    else setting.mutate(status);
  };
  return (
    <>
      <Menu position="bottom-start" transitionProps={{ duration: 0 }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            ref={button}
            className="status-choice"
            variant="default"
            size="compact-sm"
            justify="space-between"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={`Status of ${titleOf(vehicle)}: ${statusInWords(shown)}`}
          >
            {statusInWords(shown)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {STATUS_CHOICES.map(([status, label]) => (
            <Menu.Item
              key={status}
              onClick={() => choose(status)}
              {...(status === vehicle.status && {
                "aria-current": true,
                rightSection: <IconCheck size={14} aria-hidden />,
              })}
            >
              {status === "sold" && vehicle.status !== "sold" ? `${label}…` : label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {isSelling && <SellVehicle vehicle={vehicle} onClose={() => setSelling(false)} />}
    </>
  );
};

/**
 * The status of a vehicle, as a menu for those who may change it: arrow keys only move, and nothing changes before
 * Enter or a click. *Sold* asks what it is sold for.
 */
export const StatusChoice = ({ vehicle }: { vehicle: Vehicle }) => {
  const may = useMay();
  return may("vehicles:write") ? <StatusMenu vehicle={vehicle} /> : statusInWords(vehicle.status);
};
