import { type CSSProperties, memo, useEffect, useMemo, useState } from 'react'
import { highlight, HIGHLIGHTED_MAX_CHARACTERS } from '../../markdown/highlight.ts'
import { madeHtml } from '../../../lib/browser/trusted-types.ts'
import styles from './text-preview.module.css'
import { splitHtmlLines } from './line-html.ts'
import type { TextPiece } from './text-windows.ts'
import '../../markdown/prose/enhance/code-blocks.css'

interface TextPieceProps {
  piece: TextPiece
  language: string | null
}

/** Shows numbered lines, with highlighting once it is loaded. */
export const TextPieceLines = memo(function TextPieceLines({ piece, language }: TextPieceProps) {
  const html = useColours(piece, language)
  const { lines, firstLine } = piece
  return (
    <div
      className={styles.piece}
      style={
        { '--dl-line-count': lines.length, counterReset: `line ${(firstLine ?? 1) - 1}` } as CSSProperties
      }
    >
      {lines.map((line, index) => (
        // The lines of a piece never change their order.
        // oxlint-disable-next-line react/no-array-index-key -- as above
        <TextLine key={index} text={line} html={html?.[index]} />
      ))}
    </div>
  )
})

function TextLine({ text, html }: { text: string; html: string | undefined }) {
  const coloured = useMemo(() => ({ __html: madeHtml(html ?? '') }), [html])
  if (html === undefined) return <div className={styles.line}>{text}</div>
  // Safe to insert, because the highlighter escapes its input.
  return <div className={styles.line} dangerouslySetInnerHTML={coloured} />
}

function useColours({ lines }: TextPiece, language: string | null): readonly string[] | null {
  const [coloured, setColoured] = useState<{ of: unknown; html: readonly string[] } | null>(null)
  useEffect(() => {
    if (language === null) return undefined
    let isCurrent = true
    const colour = async () => {
      const code = lines.join('\n')
      if (code.length > HIGHLIGHTED_MAX_CHARACTERS) return
      const html = await highlight(code, language)
      if (isCurrent && html !== null) setColoured({ of: lines, html: splitHtmlLines(html) })
    }
    // Text stays uncoloured if the highlighter cannot be loaded.
    colour().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [lines, language])
  return coloured?.of === lines ? coloured.html : null
}
