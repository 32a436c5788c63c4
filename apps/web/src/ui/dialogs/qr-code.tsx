import { useEffect, useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'

/** A QR code, black on white in both themes, because scanners expect these colours. Loads the library on demand. */
export function QrCode({ text }: { text: string }) {
  const { t } = useT()
  const [path, setPath] = useState<{ data: string; size: number } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const draw = async () => {
      const { encode } = await import('uqr')
      const { data, size } = encode(text, { border: 2 })
      if (isCurrent) setPath({ data: modulesPath(data), size })
    }
    void draw()
    return () => {
      isCurrent = false
    }
  }, [text])
  const size = path?.size ?? 1
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      style={{
        display: 'block',
        width: 208,
        height: 208,
        borderRadius: 'var(--dl-radius)',
        background: 'var(--dl-paper)',
      }}
    >
      <title>{t('common.qrCodeOf', { url: text })}</title>
      {path && <path d={path.data} fill="#000" />}
    </svg>
  )
}

const modulesPath = (rows: readonly (readonly boolean[])[]) =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
