/** The space that a dropdown needs below its field, including the bars at the bottom of a phone. */
const DROPDOWN_SPACE_PX = 340;

/**
 * On a phone, scrolls a field up before its options open, unless there is room below it. Options above the field would
 * move with each typed letter.
 */
export const scrollForDropdown = (field: HTMLElement | null): void => {
  if (field === null || !matchMedia("(max-width: 47.99em)").matches) return;
  if (innerHeight - field.getBoundingClientRect().bottom < DROPDOWN_SPACE_PX) field.scrollIntoView({ block: "start" });
};
