import { CloseButton, Group, Text } from "@mantine/core";
import { IconCamera, IconPhotoPlus } from "@tabler/icons-react";
import { useFileDrop } from "../forms/file-drop.ts";
import { FileButton } from "./uploads.tsx";

interface ChosenPhotosProps {
  readonly photos: readonly File[];
  readonly onChange: (photos: readonly File[]) => void;
}

/** Photos that are chosen, dropped or taken before their vehicle is there. The first one will be the primary one. */
export const ChosenPhotos = ({ photos, onChange }: ChosenPhotosProps) => {
  const add = (files: readonly File[]): void => onChange([...photos, ...files]);
  const isOver = useFileDrop(add);
  return (
    <div className="photo-drop" {...(isOver && { "data-over": true })}>
      <Text size="sm" className="drop-words">
        Drop photos here, many at once: JPEG, PNG or WebP, up to 20 MB each. They are sent once the vehicle is added.
      </Text>
      <Group gap="xs">
        <FileButton label="Choose photos" icon={IconPhotoPlus} onFiles={add} />
        <FileButton label="Take a photo" icon={IconCamera} isCamera onFiles={add} />
      </Group>
      {photos.length > 0 && (
        <ul className="uploads" aria-label="Photos">
          {photos.map((photo, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice
            <li key={`${place} ${photo.name}`} className="upload">
              <span className="upload-name">{photo.name}</span>
              <CloseButton
                aria-label={`Take away: ${photo.name}`}
                onClick={() => onChange(photos.filter((one) => one !== photo))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
