import type { Opening } from '@dropleaf/contract'

/** How an edited share opens. `burn` asks and has one view, as for a new share. */
export type EditedOpeningChoice = Opening | 'keep' | 'burn'

/** The choice with which an edit starts: a share that asks and has one view burns after reading. */
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

/** Returns the fields after another choice. */
export const chooseOpening = (
  opening: Opening | 'burn',
): Pick<OpeningFields, 'opening'> & { maxViews?: string } => ({
  opening,
  ...(opening === 'burn' && { maxViews: '1' }),
})

/** Returns the fields after another view limit. A share that opens more than once does not burn after reading. */
export const limitViews = ({ opening }: Pick<OpeningFields, 'opening'>, maxViews: string): OpeningFields => ({
  opening: opening === 'burn' && maxViews.trim() !== '1' ? 'ask' : opening,
  maxViews,
})

interface OpeningEdit {
  readonly chosen: EditedOpeningChoice
  readonly current: Opening
  /** Whether the share had no view limit before, and now has one. */
  readonly isNowLimited: boolean
  readonly hasPin: boolean
}

/** Returns how a share opens after an edit. */
export function editedOpening({ chosen, current, isNowLimited, hasPin }: OpeningEdit): Opening {
  if (hasPin || chosen === 'burn') return 'ask'
  if (chosen !== 'keep') return chosen
  return isNowLimited ? 'ask' : current
}
