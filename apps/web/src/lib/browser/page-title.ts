import { useEffect } from 'react'
import { showInvisible } from '../text/invisible-characters.ts'

export const PRODUCT = 'Dropleaf'

let current = ''
const listeners = new Set<() => void>()

/** What the page is called, without the product. */
export const getPageTitle = (): string => current

/** Title of the tab while the calling page is shown; follows a change of language because its words do. One for each page. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    current = showInvisible(title)
    document.title = title ? `${current} - ${PRODUCT}` : PRODUCT
    for (const listener of listeners) listener()
  }, [title])
}

/** Tells whenever the page is called something else. @returns what stops it. */
export function onPageTitle(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
