import { useInViewport } from "@mantine/hooks";
import { useState } from "react";
import type { Image } from "../../../core/images/image.ts";
import { useRecord } from "../api/queries.ts";
import { Picture } from "./picture.tsx";

const STALE_MS = 300_000;

/** The picture of a vehicle in a list; asked for when the row is first seen, and not again for a while. */
export const RowPicture = ({ vehicleId }: { vehicleId: number }) => {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [wasSeen, setWasSeen] = useState(false);
  if (inViewport && !wasSeen) setWasSeen(true);
  const images = useRecord<readonly Image[]>(
    `/vehicles/${vehicleId}/images`,
    {},
    { enabled: wasSeen, staleMs: STALE_MS },
  );
  const shown = images.data?.find(({ is_primary }) => is_primary) ?? images.data?.[0];
  return (
    <div ref={ref} className="row-picture">
      {images.data !== undefined && <Picture image={shown} alt="" className="row-picture" />}
    </div>
  );
};
