import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { getPageTitle, onPageTitle } from '../../lib/browser/page-title.ts'

/** A page may set its title only when its data is loaded. */
const SETTLES_MS = 300
/** After this time a page with the same title as the previous one is announced. */
const SAME_AFTER_MS = 2000

/** Whether the page has moved the focus, which is announced. */
function hasFocusOfItsOwn(before: Element | null): boolean {
  const { activeElement } = document
  if (activeElement === null || activeElement === before) return false
  return activeElement.closest('main:not(:focus), dialog') !== null
}

/** Announces the page after a navigation, like browsers do when they load one. */
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
        // Repeated text is only announced if it was empty in between.
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
