import { Checkbox } from "@mantine/core";
import type { ReactNode } from "react";
import { formatCount, formatNumber } from "../page/figures.tsx";

interface FacetCheckboxProps {
  readonly label: ReactNode;
  readonly count?: number | undefined;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A value of a facet, with the number of vehicles that have it. */
export const FacetCheckbox = ({ label, count, isChecked, onChange }: FacetCheckboxProps) => (
  <div className="facet-line">
    <Checkbox
      size="xs"
      label={label}
      checked={isChecked}
      {...(count !== undefined && { "aria-description": formatCount(count, "vehicle") })}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {count !== undefined && <span aria-hidden>{formatNumber(count)}</span>}
  </div>
);
