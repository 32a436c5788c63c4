import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { getPageTitle, onPageTitle } from '../../lib/browser/page-title.ts'

/** How long to wait for a new title. Some pages set their title only after their data has loaded. */
const SETTLES_MS = 300
/** How long to wait before announcing a page that has the same title as the previous page. */
const SAME_AFTER_MS = 2000

/** Whether the page has moved the focus. If so, the screen reader already announces the focused element. */
function hasFocusOfItsOwn(before: Element | null): boolean {
  const { activeElement } = document
  if (activeElement === null || activeElement === before) return false
  return activeElement.closest('main:not(:focus), dialog') !== null
}

/** Announces the page after a navigation, as browsers do after loading a page. */
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
        // Screen readers announce repeated text only if the element was empty in between.
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
