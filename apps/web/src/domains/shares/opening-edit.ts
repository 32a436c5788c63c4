import type { Opening } from '@dropleaf/contract'

/** How an edited share opens. `burn` requires confirmation and allows one view, as it does for a new share. */
export type EditedOpeningChoice = Opening | 'keep' | 'burn'

/** The initial choice of an edit. A share that requires confirmation and has one view starts as `burn`. */
export const startingOpening = ({
  opening,
  max_views: maxViews,
}: {
  opening: Opening
  max_views: number | null
}): EditedOpeningChoice => (opening === 'ask' && maxViews === 1 ? 'burn' : 'keep')

interface OpeningFields {
  readonly opening: EditedOpeningChoice
  /** As typed by the user. */
  readonly maxViews: string
}

/** Returns the fields after the user chooses how the share opens. */
export const chooseOpening = (
  opening: Opening | 'burn',
): Pick<OpeningFields, 'opening'> & { maxViews?: string } => ({
  opening,
  ...(opening === 'burn' && { maxViews: '1' }),
})

/** Returns the fields after the user changes the view limit. A share with more than one view cannot be `burn`. */
export const limitViews = ({ opening }: Pick<OpeningFields, 'opening'>, maxViews: string): OpeningFields => ({
  opening: opening === 'burn' && maxViews.trim() !== '1' ? 'ask' : opening,
  maxViews,
})

interface OpeningEdit {
  readonly chosen: EditedOpeningChoice
  readonly current: Opening
  /** Whether the edit adds a view limit to a share without one. */
  readonly isNowLimited: boolean
  readonly hasPin: boolean
}

/** Returns how a share opens after an edit. */
export function editedOpening({ chosen, current, isNowLimited, hasPin }: OpeningEdit): Opening {
  if (hasPin || chosen === 'burn') return 'ask'
  if (chosen !== 'keep') return chosen
  return isNowLimited ? 'ask' : current
}
