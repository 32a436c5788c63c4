import type { ReadablePaste } from '@dropleaf/contract'
import { useEffect, useState } from 'react'
import { hashOfLines, type LineRange, parseLines } from '../../../../ui/text-lines/line-range.ts'
import {
  outlineWidth,
  rememberOutline,
  rememberWrap,
  wantsOutline,
  wrapsLines,
} from '../../reading-settings.ts'
import { firstFormat, type PasteFormat } from './paste-facts.ts'

const writeHash = (hash: string) => {
  const { pathname, search } = window.location
  window.history.replaceState(window.history.state, '', `${pathname}${search}${hash}`)
}

/**
 * View state of a text. The URL contains the selected lines, unless its fragment is the key of an encrypted bundle.
 */
export function useReading(
  paste: Pick<ReadablePaste, 'content_type'>,
  { writesAddress = true }: { readonly writesAddress?: boolean } = {},
) {
  const [format, setFormat] = useState<PasteFormat>(() => firstFormat(paste, window.location.hash))
  const [marked, setMarked] = useState<LineRange | null>(() => parseLines(window.location.hash))
  const [isOutlineOpen, setOutlineOpen] = useState(wantsOutline)
  const [outlinePx, setOutlinePx] = useState(outlineWidth)
  const [isWrapped, setWrapped] = useState(wrapsLines)
  useEffect(() => {
    const follow = () => {
      const named = parseLines(window.location.hash)
      setMarked(named)
      if (named) setFormat('plain')
    }
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  const markLines = (range: LineRange | null) => {
    setMarked(range)
    if (writesAddress) writeHash(range === null ? '' : hashOfLines(range))
  }
  return {
    format,
    setFormat,
    marked,
    markLines,
    /** Selects or deselects the clicked line. With Shift, extends the selection to the line. */
    pressLine: (line: number, isRange: boolean) => {
      const from = isRange && marked ? marked : { first: line, last: line }
      const isAgain = !isRange && marked?.first === line && marked.last === line
      markLines(isAgain ? null : { first: Math.min(from.first, line), last: Math.max(from.last, line) })
    },
    isOutlineOpen,
    showOutline: (isOpen: boolean) => {
      setOutlineOpen(isOpen)
      rememberOutline(isOpen)
    },
    outlinePx,
    setOutlinePx,
    isWrapped,
    wrap: (isOn: boolean) => {
      setWrapped(isOn)
      rememberWrap(isOn)
    },
  }
}

export type Reading = ReturnType<typeof useReading>
