/** The space that a dropdown needs below its field, including the bars at the bottom of a phone. */
const DROPDOWN_SPACE_PX = 340;

/**
 * Scrolls a field of a phone up before its choices open, unless there is room for them between it and the foot. They
 * stay below it: above it they would move with each letter that is typed.
 */
export const scrollForDropdown = (field: HTMLElement | null): void => {
  if (field === null || !matchMedia("(max-width: 47.99em)").matches) return;
  if (innerHeight - field.getBoundingClientRect().bottom < DROPDOWN_SPACE_PX) field.scrollIntoView({ block: "start" });
};
