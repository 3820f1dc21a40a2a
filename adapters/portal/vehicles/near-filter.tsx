import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ListState } from "../lists/list-state.ts";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useUnits } from "../settings/settings.tsx";

const RADII = ["10", "25", "50", "100", "250", "500"] as const;
const DEFAULT_RADIUS = "50";

/** A ZIP code, or latitude and longitude; shorter input is incomplete and is not sent. */
const PLACE = /^\d{5}(?:-\d{4})?$|^-?\d{1,2}(?:\.\d+)?, ?-?\d{1,3}(?:\.\d+)?$/;

/** Filters vehicles by the distance of their dealers from a place. */
export const NearFilter = ({ list }: { list: ListState }) => {
  const { distance } = useAmountFormats();
  const { distance_unit } = useUnits();
  const near = list.filter("near");
  const radius = list.filter("radius") || DEFAULT_RADIUS;
  const [typed, setTyped] = useState(near);
  const [applied, setApplied] = useState(near);
  if (applied !== near) {
    // The filter changed elsewhere: by a link, the back button, or a chip.
    setApplied(near);
    setTyped(near);
  }
  const apply = (place: string, within: string): void => {
    setApplied(place);
    list.setFilters(
      place === ""
        ? { near: "", radius: "", radius_unit: "" }
        : { near: place, radius: within, radius_unit: distance_unit },
    );
  };
  return (
    <>
      <TextInput
        className="filter"
        size="xs"
        label="ZIP code"
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          const place = value.trim();
          if (place === "" ? near !== "" : PLACE.test(place) && place !== near) apply(place, radius);
        }}
      />
      <NativeSelect
        className="filter"
        size="xs"
        label="Within"
        value={radius}
        disabled={near === ""}
        onChange={({ currentTarget }) => apply(near, currentTarget.value)}
        data={[...new Set([...RADII, radius])].map((value) => ({ value, label: distance(Number(value)) }))}
      />
    </>
  );
};
