import { useEffect } from 'react'
import { showUnseen } from './unseen-letters.ts'

export const PRODUCT = 'Dropleaf'

/** Title of the tab while the calling page is shown; follows a change of language because its words do. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${showUnseen(title)} - ${PRODUCT}` : PRODUCT
  }, [title])
}
