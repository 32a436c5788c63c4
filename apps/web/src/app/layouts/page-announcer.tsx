import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { getPageTitle, onPageTitle } from '../../lib/browser/page-title.ts'

/** A page may have a title of its own only when what it shows has come. */
const SETTLES_MS = 300
/** After which a page that is called as the one before is what has come. */
const SAME_AFTER_MS = 2000

/** Whether the page has given the keyboard a place, which is spoken. */
function hasFocusOfItsOwn(before: Element | null): boolean {
  const { activeElement } = document
  if (activeElement === null || activeElement === before) return false
  return activeElement.closest('main:not(:focus), dialog') !== null
}

/** Says which page has come after a link or the way back, as the browser does when it loads one. */
export function PageAnnouncer() {
  const router = useRouter()
  const [said, setSaid] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let left: { readonly title: string; readonly focus: Element | null } | null = null
    let renderedAtMs = 0
    const say = () => {
      const title = getPageTitle()
      if (left === null) return
      const waitsMs = left.title === title ? renderedAtMs + SAME_AFTER_MS - performance.now() : 0
      if (waitsMs > 0) {
        timer = setTimeout(say, waitsMs)
        return
      }
      if (!hasFocusOfItsOwn(left.focus)) setSaid(title)
      left = null
    }
    const sayLater = () => {
      clearTimeout(timer)
      timer = setTimeout(say, SETTLES_MS)
    }
    const stops = [
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return
        left = { title: getPageTitle(), focus: document.activeElement }
        // The same words are only spoken again when they come anew.
        setSaid('')
      }),
      router.subscribe('onRendered', () => {
        renderedAtMs = performance.now()
        sayLater()
      }),
      onPageTitle(sayLater),
    ]
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [router])
  return <output className="dl-sr">{said}</output>
}
