import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconMaximize } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import type { Image } from "../../../core/images/image.ts";
import { altOf } from "./image-words.ts";
import { PhotoViewer } from "./photo-viewer.tsx";
import { Picture } from "./picture.tsx";

interface GalleryProps {
  readonly images: readonly Image[];
  /** The index of the image that is shown. */
  readonly at: number;
  readonly onShow: (at: number) => void;
  readonly title: string;
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 };

/** One large image. Buttons and arrow keys show the others, and wrap around at both ends. */
export const Gallery = ({ images, at, onShow, title }: GalleryProps) => {
  const image = images[at];
  const [isWhole, setWhole] = useState(false);
  const step = (by: number): void => onShow((at + by + images.length) % images.length);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div role="group" className="gallery" aria-label="Image shown" onKeyDown={onKeyDown}>
        <Picture
          image={image}
          alt={altOf(image, title, at)}
          variant="large"
          className="large-picture"
          onClick={() => setWhole(true)}
        />
        {images.length > 1 && (
          <>
            <ActionIcon
              className="gallery-step before"
              variant="default"
              size={36}
              aria-label="Previous image"
              onClick={() => step(-1)}
            >
              <IconChevronLeft size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              className="gallery-step after"
              variant="default"
              size={36}
              aria-label="Next image"
              onClick={() => step(1)}
            >
              <IconChevronRight size={18} aria-hidden />
            </ActionIcon>
          </>
        )}
        <ActionIcon
          className="gallery-whole"
          variant="default"
          size={36}
          aria-label="Show in the whole window"
          title="Show in the whole window"
          onClick={() => setWhole(true)}
        >
          <IconMaximize size={18} aria-hidden />
        </ActionIcon>
        <span className="gallery-place" aria-live="polite">
          {at + 1} of {images.length}
          {image?.is_primary && " · primary"}
        </span>
      </div>
      {isWhole && <PhotoViewer images={images} at={at} onShow={onShow} title={title} onClose={() => setWhole(false)} />}
    </>
  );
};
