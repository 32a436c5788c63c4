import { useEffect } from 'react'

export const PRODUCT = 'Dropleaf'

/** Title of the tab while the calling page is shown; follows a change of language because its words do. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} - ${PRODUCT}` : PRODUCT
  }, [title])
}
