import type { Opening } from '@dropleaf/contract'

/**
 * Fields of a new share that determine how it opens. If absent, the share opens directly and has no PIN.
 * @param pin blank means none
 */
export const openingBody = ({ opening, pin }: { readonly opening: Opening; readonly pin: string }) => ({
  ...(opening === 'ask' && { opening }),
  ...(pin !== '' && { pin }),
})
