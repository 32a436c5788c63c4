/** Booleans of list rows on the wire. */
export const toBit = (value: boolean | number): 0 | 1 => (value ? 1 : 0)
