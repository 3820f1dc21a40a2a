import { IconPhotoOff } from "@tabler/icons-react";
import { useState } from "react";
import type { Image } from "../../../core/images/image.ts";

interface PictureProps {
  readonly image: Image | undefined;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
}

/** A small picture; a placeholder stands for one that is missing or does not load. */
export const Picture = ({ image, alt, width, height }: PictureProps) => {
  const url = image?.variants?.thumbnail ?? image?.image_url;
  const [broken, setBroken] = useState<string | null>(null);
  if (url === undefined || url === broken)
    return (
      <span className="thumbnail no-picture" style={{ width, height }}>
        <IconPhotoOff
          size={20}
          role="img"
          aria-label={url === undefined ? "No picture" : "The picture does not load"}
        />
      </span>
    );
  return (
    <img
      className="thumbnail"
      src={url}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(url)}
    />
  );
};
