import { useEffect, useEffectEvent, useState } from "react";

/** True if files are dragged, and not a part of a page. */
const bringsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/**
 * Handles files dropped anywhere on the page; otherwise the browser would leave the page to open them. True while files
 * are dragged over the page.
 */
export const useFileDrop = (receive: (files: readonly File[]) => void): boolean => {
  const [isDraggedOver, setDraggedOver] = useState(false);
  const onDrop = useEffectEvent(receive);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      setDraggedOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDraggedOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      setDraggedOver(false);
      onDrop([...(event.dataTransfer?.files ?? [])]);
    };
    const listeners = new AbortController();
    window.addEventListener("dragover", over, listeners);
    window.addEventListener("dragleave", leave, listeners);
    window.addEventListener("drop", drop, listeners);
    return () => listeners.abort();
  }, []);
  return isDraggedOver;
};
