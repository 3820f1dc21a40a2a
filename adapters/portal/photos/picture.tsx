import { useState } from "react";
import type { Image } from "../../../core/images/image.ts";

/** The outline of a car from the side: its body with the cabin, its windows, and a wheel. */
const BODY =
  "M4 27v-6c0-1.7.8-2.6 2.5-3l8.5-1.8L21.5 9.5C22.8 8.3 24.2 8 26 8h11c1.9 0 3.2.5 4.5 1.8l6.5 6.7 7.5 1.5c2.5.5 4.5 2 4.5 4.5V27c0 1-.5 1.5-1.5 1.5h-53C4.5 28.5 4 28 4 27z";
const WINDOWS = "M19.5 16.5l5-4.5c.7-.6 1.3-.8 2.2-.8h3.8v5.3zM33 11.2h3.5c1.2 0 1.9.3 2.7 1.1l4 4.2H33z";

const NoPicture = ({ className, words }: { className: string; words: string }) => (
  <span className={`picture no-picture ${className}`}>
    <svg className="drawn" viewBox="0 0 64 36" role="img" aria-label={words}>
      <path className="drawn-car" d={BODY} />
      <path className="drawn-window" d={WINDOWS} />
      {[17, 47].map((x) => (
        <circle key={x} className="drawn-wheel" cx={x} cy="28" r="5" />
      ))}
    </svg>
  </span>
);

interface PictureProps {
  readonly image: Pick<Image, "image_url" | "width" | "height" | "placeholder" | "variants"> | undefined;
  /** Empty if the text next to the picture says the same. */
  readonly alt: string;
  /** The rendering to show, if the delivery service renders images; otherwise the original is shown. */
  readonly variant?: "thumbnail" | "medium" | "large" | "public";
  /** The class that sets the size. */
  readonly className: string;
  /** A click, for people with a mouse; whatever it does has a button too. */
  readonly onClick?: () => void;
}

/** A picture: its blurred placeholder until it is loaded, and a drawing if it is missing or does not load. */
export const Picture = ({ image, alt, variant = "thumbnail", className, onClick }: PictureProps) => {
  const url = image?.variants?.[variant] ?? image?.image_url;
  const [broken, setBroken] = useState<string | null>(null);
  if (image === undefined || url === undefined || url === broken)
    return <NoPicture className={className} words={url === undefined ? "No picture" : "The picture does not load"} />;
  const { width, height, placeholder } = image;
  return (
    <img
      // Another picture begins with its own placeholder.
      key={url}
      className={`picture ${className}`}
      src={url}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      {...(width !== undefined && { width, height })}
      {...(placeholder !== undefined && { style: { backgroundImage: `url("${placeholder}")` } })}
      // What is transparent in the picture must not show it.
      onLoad={({ currentTarget }) => currentTarget.style.removeProperty("background-image")}
      onError={() => setBroken(url)}
      {...(onClick !== undefined && { onClick })}
    />
  );
};
