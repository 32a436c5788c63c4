/**
 * For a button of a row: its name is its own words and those of what the row is about.
 * @param subject ids of the elements with those words.
 */
export const accessibleName = (button: string, subject: string) => ({
  id: button,
  'aria-labelledby': `${button} ${subject}`,
})
