import { ActionIcon, Text, UnstyledButton } from "@mantine/core";
import {
  IconArrowLeft,
  IconArrowRight,
  IconGripVertical,
  IconPencil,
  type IconProps,
  IconRotateClockwise,
  IconStar,
  IconTrash,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ComponentType, KeyboardEvent, PointerEvent } from "react";
import type { Image } from "../../../core/images/image.ts";
import { change } from "../api/client.ts";
import { isOwnPhoto, wordsOf } from "./image-words.ts";
import { Picture } from "./picture.tsx";

/** What a user who may change images does with one. */
interface ImageActions {
  readonly edit: () => void;
  readonly delete: () => void;
  /** Moves it to a place from 0. */
  readonly moveTo: (place: number) => void;
  readonly startDrag: (event: PointerEvent) => void;
}

interface ImageCardProps {
  readonly path: string;
  readonly image: Image;
  /** Its place from 0, and the number of images. */
  readonly at: number;
  readonly count: number;
  readonly isShown: boolean;
  readonly isDragged: boolean;
  readonly onShow: () => void;
  /** Left out if the user may not change images. */
  readonly actions?: ImageActions;
}

interface ToolProps {
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  readonly disabled?: boolean;
  readonly loading?: boolean;
  readonly onClick: () => void;
}

const Tool = ({ label, icon: Icon, disabled = false, loading = false, onClick }: ToolProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={24}
    aria-label={label}
    title={label}
    disabled={disabled}
    loading={loading}
    onClick={onClick}
  >
    <Icon size={15} aria-hidden />
  </ActionIcon>
);

/** The place to which a key moves an image; `null` for other keys. */
const placeAfterKey = (key: string, at: number, count: number): number | null => {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    Home: 0,
    End: count - 1,
  };
  return places[key] ?? null;
};

const Grip = ({
  name,
  at,
  count,
  actions,
}: { name: string; actions: ImageActions } & Pick<ImageCardProps, "at" | "count">) => {
  const onKeyDown = (event: KeyboardEvent): void => {
    const place = placeAfterKey(event.key, at, count);
    if (place === null) return;
    event.preventDefault();
    if (place >= 0 && place < count && place !== at) actions.moveTo(place);
  };
  return (
    <UnstyledButton
      className="image-grip"
      aria-label={`Move ${name}`}
      aria-description="Drag it, or press the arrow keys"
      title="Drag it, or press the arrow keys"
      onKeyDown={onKeyDown}
      onPointerDown={actions.startDrag}
    >
      <IconGripVertical size={16} aria-hidden />
    </UnstyledButton>
  );
};

const Tools = ({
  path,
  image,
  at,
  count,
  actions,
}: Pick<ImageCardProps, "path" | "image" | "at" | "count"> & { readonly actions: ImageActions }) => {
  const name = `image ${at + 1}`;
  const save = useMutation({ mutationFn: (changes: object) => change("PUT", `${path}/${image.id}`, changes) });
  return (
    <>
      {save.error !== null && (
        <Text size="xs" role="alert">
          {save.error.message}
        </Text>
      )}
      <div className="image-tools">
        <Tool
          label={`Move ${name} up`}
          icon={IconArrowLeft}
          disabled={at === 0}
          onClick={() => actions.moveTo(at - 1)}
        />
        <Tool
          label={`Move ${name} down`}
          icon={IconArrowRight}
          disabled={at === count - 1}
          onClick={() => actions.moveTo(at + 1)}
        />
        {!image.is_primary && (
          <Tool label={`Make primary: ${name}`} icon={IconStar} onClick={() => save.mutate({ is_primary: true })} />
        )}
        {isOwnPhoto(image) && (
          <Tool
            label={`Rotate ${name}`}
            icon={IconRotateClockwise}
            loading={save.isPending}
            onClick={() => save.mutate({ rotate: 90 })}
          />
        )}
        <Tool label={`Edit ${name}`} icon={IconPencil} onClick={actions.edit} />
        <Tool label={`Delete ${name}`} icon={IconTrash} onClick={actions.delete} />
      </div>
    </>
  );
};

/** A small image of a vehicle: a click shows it large, and buttons change it. */
export const ImageCard = ({ path, image, at, count, isShown, isDragged, onShow, actions }: ImageCardProps) => {
  const name = `image ${at + 1}`;
  const words = wordsOf(image);
  // A finger on the picture scrolls the page.
  const startDrag = (event: PointerEvent): void => {
    if (event.pointerType !== "touch") actions?.startDrag(event);
  };
  return (
    <li data-image-id={image.id} {...(isDragged && { "data-dragged": true })}>
      <UnstyledButton
        className="image-choice"
        aria-label={`Show ${name}`}
        aria-pressed={isShown}
        onClick={onShow}
        onPointerDown={startDrag}
      >
        <Picture image={image} alt="" className="image-picture" />
      </UnstyledButton>
      {image.is_primary && <span className="primary-mark">Primary image</span>}
      {actions !== undefined && count > 1 && <Grip name={name} at={at} count={count} actions={actions} />}
      {/* Addresses differ at their ends, so a long one is cut at its beginning. */}
      <div className={words === image.image_url ? "image-address" : "image-words"} title={words}>
        <bdi>{words}</bdi>
      </div>
      {actions !== undefined && <Tools path={path} image={image} at={at} count={count} actions={actions} />}
    </li>
  );
};
