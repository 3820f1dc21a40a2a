import { Skeleton } from "@mantine/core";
import { Brand } from "../page/brand.tsx";
import { RowsSkeleton } from "../page/query-result.tsx";

const SECTION_WIDTHS = ["50%", "44%", "36%", "40%", "38%"];

/** A placeholder for the frame and its page until the session has loaded. */
export const FrameSkeleton = () => (
  <div className="frame frame-skeleton">
    <div className="rail">
      <Brand />
      <div className="rail-group" aria-hidden>
        {SECTION_WIDTHS.map((width) => (
          <Skeleton key={width} height={12} width={width} />
        ))}
      </div>
    </div>
    <div className="frame-page">
      <div className="top-bar">
        <Brand />
      </div>
      <div className="content page">
        <Skeleton height={22} width={160} my={7} />
        <RowsSkeleton lines={12} />
      </div>
    </div>
  </div>
);
