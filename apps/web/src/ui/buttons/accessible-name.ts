/**
 * Names a button in a row by its label and the row's subject.
 * @param subject ids of the elements that name the subject
 */
export const accessibleName = (button: string, subject: string) => ({
  id: button,
  'aria-labelledby': `${button} ${subject}`,
})
