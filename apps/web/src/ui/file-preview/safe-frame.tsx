import styles from './file-preview.module.css'

/** Nothing is fetched, and no link leads out of it. */
const HEAD =
  '<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; ' +
  'style-src \'unsafe-inline\'; img-src data:; font-src data:; media-src data:"><base target="_blank">'

interface SafeFrameProps {
  html: string
  title: string
  className?: string | undefined
}

/** Shows what somebody else has made: in an origin of its own, without scripts, forms, windows and other places. */
export function SafeFrame({ html, title, className = styles.web }: SafeFrameProps) {
  return <iframe className={className} sandbox="" srcDoc={HEAD + html} title={title} />
}
