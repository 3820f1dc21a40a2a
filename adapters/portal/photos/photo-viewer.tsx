import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { type PointerEvent, useEffect, useEffectEvent, useRef } from "react";
import type { Image } from "../../../core/images/image.ts";
import { Dialog } from "../forms/dialog.tsx";
import { altOf } from "./image-words.ts";
import { Picture } from "./picture.tsx";

/** A finger that moves so far to a side swipes. */
const SWIPE_PX = 40;
const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 };

interface PhotoViewerProps {
  readonly images: readonly Image[];
  readonly at: number;
  readonly onShow: (at: number) => void;
  readonly title: string;
  readonly onClose: () => void;
}

/** The images in the whole window. Arrow keys, buttons and swipes show the others; Escape closes it. */
export const PhotoViewer = ({ images, at, onShow, title, onClose }: PhotoViewerProps) => {
  const image = images[at];
  const swipedFrom = useRef<number | null>(null);
  const step = (by: number): void => onShow((at + by + images.length) % images.length);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
  const onPointerUp = ({ clientX }: PointerEvent): void => {
    const far = clientX - (swipedFrom.current ?? clientX);
    swipedFrom.current = null;
    if (Math.abs(far) >= SWIPE_PX) step(far < 0 ? 1 : -1);
  };
  return (
    <Dialog title={`Image ${at + 1} of ${images.length}`} onClose={onClose} fullScreen>
      <div
        className="photo-viewer"
        onPointerDown={({ clientX }) => {
          swipedFrom.current = clientX;
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          swipedFrom.current = null;
        }}
      >
        <Picture image={image} alt={altOf(image, title, at)} variant="public" className="whole-picture" />
        {images.length > 1 && (
          <>
            <ActionIcon
              className="gallery-step before"
              variant="default"
              size={44}
              aria-label="Previous image"
              onClick={() => step(-1)}
            >
              <IconChevronLeft size={20} aria-hidden />
            </ActionIcon>
            <ActionIcon
              className="gallery-step after"
              variant="default"
              size={44}
              aria-label="Next image"
              onClick={() => step(1)}
            >
              <IconChevronRight size={20} aria-hidden />
            </ActionIcon>
          </>
        )}
      </div>
      <p className="photo-caption">{image?.alt || title}</p>
    </Dialog>
  );
};
