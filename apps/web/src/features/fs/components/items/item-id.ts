/** Of the element that draws an entry. */
export const itemId = (index: number): string => `fs-item-${index}`
