import { useEffect } from 'react'
import { showInvisible } from '../text/invisible-characters.ts'

export const PRODUCT = 'Dropleaf'

let current = ''
const listeners = new Set<() => void>()

/** Returns the page title without the product name. */
export const getPageTitle = (): string => current

/**
 * Sets the title of the tab when the calling component is mounted, and when `title` changes. Use it only once per page.
 */
export function usePageTitle(title: string): void {
  useEffect(() => {
    current = showInvisible(title)
    document.title = title ? `${current} - ${PRODUCT}` : PRODUCT
    for (const listener of listeners) listener()
  }, [title])
}

/** Calls back on every change of the title. @returns a function that unsubscribes. */
export function onPageTitle(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
