import { Skeleton } from "@mantine/core";
import { Loading } from "../lists/answered.tsx";
import { Mark } from "./mark.tsx";

const SECTIONS = ["50%", "44%", "36%", "40%", "38%"];

/** The shape of the frame and of a page in it, until it is known who is signed in. */
export const FrameShape = () => (
  <div className="frame frame-shape">
    <div className="rail">
      <Mark />
      <div className="rail-group" aria-hidden>
        {SECTIONS.map((width) => (
          <Skeleton key={width} height={12} width={width} />
        ))}
      </div>
    </div>
    <div className="frame-page">
      <div className="top-bar">
        <Mark />
      </div>
      <div className="content page">
        <Skeleton height={22} width={160} my={7} />
        <Loading lines={12} />
      </div>
    </div>
  </div>
);
