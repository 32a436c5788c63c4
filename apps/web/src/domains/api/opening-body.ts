import type { Opening } from '@dropleaf/contract'

/** The fields of a new share that say how it opens. Absent ones mean: directly, without a PIN. @param pin blank is none */
export const openingBody = ({ opening, pin }: { readonly opening: Opening; readonly pin: string }) => ({
  ...(opening === 'ask' && { opening }),
  ...(pin !== '' && { pin }),
})
