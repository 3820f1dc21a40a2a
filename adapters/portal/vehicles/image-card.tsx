import { ActionIcon, Text, UnstyledButton } from "@mantine/core";
import { IconArrowLeft, IconArrowRight, IconPencil, type IconProps, IconStar, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { Image } from "../../../core/images/image.ts";
import { change } from "../api/client.ts";
import { Picture } from "./picture.tsx";

interface ImageCardProps {
  readonly path: string;
  readonly images: readonly Image[];
  readonly at: number;
  readonly image: Image;
  readonly isShown: boolean;
  readonly onShow: () => void;
  /** Left out if the user may not change images. */
  readonly actions?: { readonly edit: () => void; readonly delete: () => void };
}

/** The ids in order after one image has moved one place. */
const idsAfterMove = (images: readonly Image[], at: number, by: 1 | -1): number[] => {
  const ids = images.map(({ id }) => id);
  const [id] = ids.splice(at, 1);
  if (id !== undefined) ids.splice(at + by, 0, id);
  return ids;
};

interface ToolProps {
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

const Tool = ({ label, icon: Icon, disabled = false, onClick }: ToolProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={28}
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon size={16} aria-hidden />
  </ActionIcon>
);

/** A small image of a vehicle: a click shows it large, and buttons change it. */
export const ImageCard = ({ path, images, at, image, isShown, onShow, actions }: ImageCardProps) => {
  const name = `image ${at + 1}`;
  const move = useMutation({
    mutationFn: (by: 1 | -1) => change("PUT", path, { image_ids: idsAfterMove(images, at, by) }),
  });
  const choose = useMutation({ mutationFn: () => change("PUT", `${path}/${image.id}`, { is_primary: true }) });
  const error = move.error ?? choose.error;
  const moveBy = (by: 1 | -1) => () => !move.isPending && move.mutate(by);
  return (
    <li>
      <UnstyledButton className="image-choice" aria-label={`Show ${name}`} aria-pressed={isShown} onClick={onShow}>
        <Picture image={image} alt="" className="image-picture" />
      </UnstyledButton>
      {image.is_primary && <span className="primary-mark">Primary image</span>}
      {/* Addresses differ at their ends, so a long one is cut at its beginning. */}
      <div className="image-address" title={image.image_url}>
        <bdi>{image.image_url}</bdi>
      </div>
      {error !== null && (
        <Text size="xs" role="alert">
          {error.message}
        </Text>
      )}
      {actions !== undefined && (
        <div className="image-tools">
          <Tool label={`Move ${name} up`} icon={IconArrowLeft} disabled={at === 0} onClick={moveBy(-1)} />
          <Tool
            label={`Move ${name} down`}
            icon={IconArrowRight}
            disabled={at === images.length - 1}
            onClick={moveBy(1)}
          />
          {!image.is_primary && (
            <Tool label={`Make primary: ${name}`} icon={IconStar} onClick={() => choose.mutate()} />
          )}
          <Tool label={`Edit ${name}`} icon={IconPencil} onClick={actions.edit} />
          <Tool label={`Delete ${name}`} icon={IconTrash} onClick={actions.delete} />
        </div>
      )}
    </li>
  );
};
