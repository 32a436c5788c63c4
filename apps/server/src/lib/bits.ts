/** Converts a boolean to 0 or 1, the form in list rows of the API. */
export const toBit = (value: boolean | number): 0 | 1 => (value ? 1 : 0)
