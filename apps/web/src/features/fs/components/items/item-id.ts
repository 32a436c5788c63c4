/** Id of the element of an entry. */
export const itemId = (index: number): string => `fs-item-${index}`
