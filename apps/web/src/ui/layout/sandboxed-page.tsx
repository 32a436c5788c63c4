/** A CSP that blocks requests, and a `base` that makes every link open a new tab. The sandbox blocks new tabs. */
const PAGE_HEAD =
  '<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; ' +
  'style-src \'unsafe-inline\'; img-src data:; font-src data:; media-src data:"><base target="_blank">'

interface SandboxedPageProps {
  html: string
  title: string
  className: string
}

/** A third-party page in a separate origin, without scripts, forms and pop-ups. */
export function SandboxedPage({ html, title, className }: SandboxedPageProps) {
  return <iframe className={className} sandbox="" srcDoc={PAGE_HEAD + html} title={title} />
}
