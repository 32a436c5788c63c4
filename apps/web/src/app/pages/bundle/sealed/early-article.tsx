import { type ReactNode, useCallback, useEffect } from 'react'
import { followInside } from '../follow-inside.ts'
import { findEarlyText, forgetEarlyText } from './early-text.ts'

/** Shows the text that the first script has drawn. Without such a text, shows the fallback. */
export function EarlyArticle({ slug, fallback }: { slug: string; fallback: ReactNode }) {
  const fill = useCallback(
    (host: HTMLElement | null) => {
      const copy = findEarlyText(slug)?.cloneNode(true)
      if (!host || !copy) return undefined
      host.replaceChildren(copy)
      host.addEventListener('click', followInside)
      return () => host.removeEventListener('click', followInside)
    },
    [slug],
  )
  return findEarlyText(slug) ? <div ref={fill} /> : fallback
}

/** Call where the app shows the bundle. */
export const useEarlyTextEnd = (): void => useEffect(forgetEarlyText, [])
