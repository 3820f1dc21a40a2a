import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { Image } from "../../../core/images/image.ts";
import { change } from "../api/client.ts";
import { Picture } from "./picture.tsx";

interface ImageRowProps {
  readonly path: string;
  readonly images: readonly Image[];
  readonly at: number;
  readonly image: Image;
  readonly title: string;
  /** Left out where nothing may be changed. */
  readonly onDelete?: () => void;
}

/** The ids after an image has moved by one. */
const moved = (images: readonly Image[], at: number, by: 1 | -1): number[] => {
  const ids = images.map(({ id }) => id);
  const [id] = ids.splice(at, 1);
  if (id !== undefined) ids.splice(at + by, 0, id);
  return ids;
};

/** One image of a vehicle with what can be done to it. */
export const ImageRow = ({ path, images, at, image, title, onDelete }: ImageRowProps) => {
  const name = `image ${at + 1}`;
  const move = useMutation({
    mutationFn: (by: 1 | -1) => change("PUT", path, { image_ids: moved(images, at, by) }),
  });
  const choose = useMutation({ mutationFn: () => change("PUT", `${path}/${image.id}`, { is_primary: true }) });
  const error = move.error ?? choose.error;
  return (
    <li>
      <Group gap="sm" wrap="wrap">
        <Picture image={image} alt={`${title}, ${name}`} width={120} height={80} />
        <div className="image-facts">
          <Text size="sm">{image.image_url}</Text>
          {image.is_primary && (
            <Text size="sm" fw={600}>
              Primary image
            </Text>
          )}
          {error !== null && (
            <Text size="sm" role="alert">
              {error.message}
            </Text>
          )}
        </div>
        {onDelete !== undefined && (
          <Group gap="xs">
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={`Move ${name} up`}
              disabled={at === 0}
              onClick={() => !move.isPending && move.mutate(-1)}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={`Move ${name} down`}
              disabled={at === images.length - 1}
              onClick={() => !move.isPending && move.mutate(1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            {!image.is_primary && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Make primary: ${name}`}
                onClick={() => choose.mutate()}
              >
                Make primary
              </Button>
            )}
            <Button color="red" variant="outline" size="compact-sm" aria-label={`Delete ${name}`} onClick={onDelete}>
              Delete
            </Button>
          </Group>
        )}
      </Group>
    </li>
  );
};
