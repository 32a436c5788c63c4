import { type ReactNode, useEffect, useRef } from 'react'
import styles from './parts.module.css'

const SCHEMES = ['light', 'dark'] as const
type Scheme = (typeof SCHEMES)[number]

const FRAME = 'parts-'
/** Delay after which autofocus has scrolled the page. */
const SETTLED_MS = 500
const ATTRIBUTE = 'data-mantine-color-scheme'

/** The colour scheme of this frame; `null` in the top window. */
export const findFramedScheme = (): Scheme | null =>
  SCHEMES.find((scheme) => window.name === `${FRAME}${scheme}`) ?? null

/** Sets the colour scheme of a frame, independently of the app's setting. */
export function useFramedScheme(scheme: Scheme): void {
  useEffect(() => {
    const root = document.documentElement
    const keep = () => {
      if (root.getAttribute(ATTRIBUTE) !== scheme) root.setAttribute(ATTRIBUTE, scheme)
    }
    keep()
    const watcher = new MutationObserver(keep)
    watcher.observe(root, { attributeFilter: [ATTRIBUTE] })
    // Undoes the scrolling caused by autofocus.
    const top = setTimeout(() => window.scrollTo({ top: 0, behavior: 'instant' }), SETTLED_MS)
    return () => {
      watcher.disconnect()
      clearTimeout(top)
    }
  }, [scheme])
}

/**
 * Shows the page in both colour schemes side by side, with synchronised scrolling. A document has one scheme, so each
 * scheme is in a separate frame.
 */
export function Schemes(): ReactNode {
  const frames = useRef<(HTMLIFrameElement | null)[]>([])
  const follow = (from: Window) => {
    for (const frame of frames.current) {
      const other = frame?.contentWindow
      if (other && other !== from && Math.abs(other.scrollY - from.scrollY) > 1)
        other.scrollTo({ top: from.scrollY, behavior: 'instant' })
    }
  }
  return (
    <div className={styles.schemes}>
      {SCHEMES.map((scheme, index) => (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- the same page, which needs no isolation
        <iframe
          key={scheme}
          ref={(frame) => {
            frames.current[index] = frame
          }}
          name={`${FRAME}${scheme}`}
          title={scheme}
          src="/parts"
          onLoad={({ currentTarget: { contentWindow: inner } }) =>
            inner?.addEventListener('scroll', () => follow(inner), { passive: true })
          }
        />
      ))}
    </div>
  )
}
