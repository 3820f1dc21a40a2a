import { Button, CloseButton, Group, Progress, Text } from "@mantine/core";
import { IconCamera, IconPhotoPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Image } from "../../../core/images/image.ts";
import { recordKey, refetchAll } from "../api/queries.ts";
import { useFileDrop } from "../forms/file-drop.ts";
import { useOpenForm } from "../forms/unsaved.ts";
import { formatCount } from "../page/figures.tsx";
import { notify } from "../page/notify.tsx";
import { explainUpload, sendPhoto } from "./send-photo.ts";
import { type Upload, UploadQueue } from "./upload-queue.ts";

// Phones that keep photos in another format convert them if only these are asked for.
const TYPES = "image/jpeg,image/png,image/webp";

const PERCENT = 100;

const byPlace = (one: Image, other: Image): number => one.display_order - other.display_order || one.id - other.id;

/** The images with one that was added. If it is the primary one, no other is. */
const imagesWith = (images: readonly Image[], added: Image): readonly Image[] =>
  [
    ...images
      .filter(({ id }) => id !== added.id)
      .map((image) => (added.is_primary ? { ...image, is_primary: false } : image)),
    added,
  ].sort(byPlace);

/** The queue of a vehicle's photos. Leaving the page stops it, after a question. */
const useUploadQueue = (path: string) => {
  const client = useQueryClient();
  const [queue] = useState(
    () =>
      new UploadQueue({
        async send(photo) {
          const image = await sendPhoto(path, photo);
          const key = recordKey(path);
          // A read that began earlier would take the image away again.
          await client.cancelQueries({ queryKey: key });
          client.setQueryData<readonly Image[]>(key, (images = []) => imagesWith(images, image));
        },
        explain: explainUpload,
        onIdle(added) {
          if (added === 0) return;
          notify(`${formatCount(added, "photo")} added.`);
          void refetchAll(client);
        },
      }),
  );
  useEffect(() => () => queue.close(), [queue]);
  const uploads = useSyncExternalStore(queue.subscribe, queue.list);
  const isRunning = uploads.some(({ state }) => state !== "failed" && state !== "refused");
  useOpenForm(isRunning, false, "sending");
  return { queue, uploads };
};

const STATES: Readonly<Record<Upload["state"], (upload: Upload) => string>> = {
  waiting: () => "Waits",
  sending: ({ share }) => `${Math.floor(share * PERCENT)} %`,
  making: () => "Is being prepared",
  failed: ({ words }) => `Not sent: ${words}`,
  refused: ({ words }) => `Not taken: ${words}`,
};

const UploadRow = ({ upload, queue }: { upload: Upload; queue: UploadQueue }) => {
  const { id, file, state, share } = upload;
  const isOver = state === "failed" || state === "refused";
  return (
    <li className="upload" data-state={state}>
      <span className="upload-name">{file.name}</span>
      <span className="upload-words" {...(isOver && { role: "alert" })}>
        {STATES[state](upload)}
      </span>
      {isOver ? (
        <Group gap={4} wrap="nowrap">
          {state === "failed" && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Try again: ${file.name}`}
              onClick={() => queue.retry([id])}
            >
              Try again
            </Button>
          )}
          <CloseButton
            size="sm"
            aria-label={`Take ${file.name} off this list`}
            title="Take it off this list"
            onClick={() => queue.forget(id)}
          />
        </Group>
      ) : (
        <Progress.Root className="upload-progress">
          <Progress.Section value={share * PERCENT} aria-label={`Progress of ${file.name}`} />
        </Progress.Root>
      )}
    </li>
  );
};

const UploadList = ({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) => {
  const failed = uploads.filter(({ state }) => state === "failed");
  return (
    <>
      <ol className="uploads" aria-label="Photos on their way">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ol>
      {failed.length > 1 && (
        <Button
          variant="default"
          size="compact-sm"
          className="try-all-again"
          onClick={() => queue.retry(failed.map(({ id }) => id))}
        >
          Try all {failed.length} again
        </Button>
      )}
    </>
  );
};

interface FileButtonProps {
  readonly label: string;
  readonly icon: typeof IconCamera;
  /** True if it opens the camera, on devices that have one at hand. */
  readonly isCamera?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that lets the user choose photos, or take one. */
export const FileButton = ({ label, icon: Icon, isCamera = false, onFiles }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null): void => {
    onFiles([...(files ?? [])]);
    // The same file may be chosen again.
    if (input.current !== null) input.current.value = "";
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon size={16} aria-hidden />}
        className={isCamera ? "camera-button" : "choose-photos"}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={isCamera ? "Photo" : "Photos"}
        accept={TYPES}
        {...(isCamera ? { capture: "environment" as const } : { multiple: true })}
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
    </>
  );
};

interface UploadsProps {
  /** The path of the vehicle's images. */
  readonly path: string;
  readonly images: readonly Image[];
  /** Returns photos that are sent at once. */
  readonly chosenBefore: () => readonly File[];
  /** Called once the first button has the focus, if the user came to add a photo. */
  readonly onFocused: (() => void) | null;
  /** False to show only photos on their way, and nothing if there are none. */
  readonly hasButtons: boolean;
  /** Further ways to add an image. */
  readonly children: ReactNode;
}

/** Takes photos that are dropped, chosen or taken with the camera, and shows how far each is. */
export const Uploads = ({ path, images, chosenBefore, onFocused, hasButtons, children }: UploadsProps) => {
  const place = useRef<HTMLDivElement>(null);
  const { queue, uploads } = useUploadQueue(path);
  const add = (files: readonly File[]): void => {
    if (files.length > 0) queue.add(files, images);
  };
  const isOver = useFileDrop(add);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are sent once
  useEffect(() => add(chosenBefore()), []);
  useEffect(() => {
    if (onFocused === null) return;
    place.current?.querySelector("button")?.focus();
    onFocused();
  }, [onFocused]);
  if (!hasButtons && uploads.length === 0) return null;
  return (
    <div ref={place} className="photo-drop" {...(isOver && { "data-over": true })}>
      {hasButtons && (
        <>
          <Text size="sm" className="drop-words">
            Drop photos here, many at once: JPEG, PNG or WebP, up to 20 MB each.
          </Text>
          <Group gap="xs">
            <FileButton label="Choose photos" icon={IconPhotoPlus} onFiles={add} />
            <FileButton label="Take a photo" icon={IconCamera} isCamera onFiles={add} />
            {children}
          </Group>
        </>
      )}
      {uploads.length > 0 && <UploadList uploads={uploads} queue={queue} />}
    </div>
  );
};
