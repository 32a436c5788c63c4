import { useMemo, useState } from 'react'
import styles from './safe-frame.module.css'
import { foreignOrigins } from './foreign-document.ts'
import { BlockedContentBar } from './blocked-content-bar.tsx'

/**
 * Returns the start of a page, with a CSP that allows images and media only from data URLs and `origins`. All links
 * open a new window, and the sandbox blocks new windows.
 */
function headFor(origins: readonly string[]): string {
  const sources = ['data:', ...origins].join(' ')
  return (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; ' +
    `style-src 'unsafe-inline'; img-src ${sources}; font-src data:; media-src ${sources}">` +
    '<meta name="referrer" content="no-referrer"><base target="_blank">'
  )
}

const hostOf = (origin: string) => new URL(origin).host

interface SafeFrameProps {
  html: string
  title: string
  className?: string | undefined
}

/**
 * Shows foreign HTML in a separate origin, without scripts, forms, pop-ups or navigation. Images and recordings from
 * other sites are loaded only on request.
 */
export function SafeFrame({ html, title, className = styles.web }: SafeFrameProps) {
  const origins = useMemo(() => foreignOrigins(html), [html])
  const [isLoaded, setLoaded] = useState(false)
  return (
    <>
      {!isLoaded && (
        <BlockedContentBar hosts={[...new Set(origins.map(hostOf))]} onLoad={() => setLoaded(true)} />
      )}
      <iframe
        key={String(isLoaded)}
        className={className}
        sandbox=""
        srcDoc={headFor(isLoaded ? origins : []) + html}
        title={title}
      />
    </>
  )
}
