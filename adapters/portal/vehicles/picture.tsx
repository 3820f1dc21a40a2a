import { IconPhotoOff } from "@tabler/icons-react";
import { useState } from "react";
import type { Image } from "../../../core/images/image.ts";

interface PictureProps {
  readonly image: Image | undefined;
  /** Empty if the text next to the picture says the same. */
  readonly alt: string;
  /** The rendering to show, if the delivery service renders images; otherwise the original is shown. */
  readonly variant?: "thumbnail" | "large";
  /** The class that sets the size. */
  readonly className: string;
}

/** A picture, or a placeholder if it is missing or does not load. */
export const Picture = ({ image, alt, variant = "thumbnail", className }: PictureProps) => {
  const url = image?.variants?.[variant] ?? image?.image_url;
  const [broken, setBroken] = useState<string | null>(null);
  if (url === undefined || url === broken)
    return (
      <span className={`picture no-picture ${className}`}>
        <IconPhotoOff
          size={20}
          role="img"
          aria-label={url === undefined ? "No picture" : "The picture does not load"}
        />
      </span>
    );
  return (
    <img
      className={`picture ${className}`}
      src={url}
      alt={alt}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(url)}
    />
  );
};
