import { useEffect } from 'react'

const RULES = 'noindex, noarchive, nosnippet'

/** Excludes a page from search engines while it is mounted. */
export function useNoRobots(): void {
  useEffect(() => {
    const found = document.querySelector<HTMLMetaElement>('meta[name="robots"]')
    const before = found?.content
    const meta = found ?? document.head.appendChild(document.createElement('meta'))
    meta.name = 'robots'
    meta.content = RULES
    return () => {
      if (before === undefined) meta.remove()
      else meta.content = before
    }
  }, [])
}
