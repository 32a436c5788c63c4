import { MIB } from '@dropleaf/contract'
import { useEffect, useRef, useState } from 'react'
import { decodeGuessed, type Encoding } from '../../../lib/text/detect-encoding.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { readAll } from '../reading/byte-source.ts'
import { WRAP_KEY } from '../reading/first-bytes.ts'
import styles from './text-preview.module.css'
import type { ProviderProps } from '../providers.ts'
import { codeLanguage } from './code-language.ts'
import { TextBar } from './text-bar.tsx'
import { TextPieceLines } from './text-piece.tsx'
import { type TextWindows, useTextWindows } from './use-text-windows.ts'

const COPIED_MAX_BYTES = 4 * MIB

/** Shows a text of any length. Loads more text while the user scrolls. */
export function TextPreview({ source, kind, isFull }: ProviderProps) {
  const { t } = useT()
  const [chosenEncoding, setChosenEncoding] = useState<Encoding | null>(null)
  const [wraps, setWraps] = useState(() => readStored(WRAP_KEY) !== 'off')
  const windows = useTextWindows(source, chosenEncoding)
  const scroller = useRef<HTMLDivElement>(null)
  if (!windows) return <SkeletonLines label={t('preview.loading')} />
  const { encoding, isOpen, goTo } = windows
  const readText = async () => {
    const bytes = await readAll(source, { maxBytes: COPIED_MAX_BYTES })
    return isOpen ? (await decodeGuessed(bytes, false)).text : new TextDecoder(encoding).decode(bytes)
  }
  return (
    <div className={styles.text} data-full={isFull || undefined}>
      <TextBar
        encoding={{ shown: encoding, choose: setChosenEncoding }}
        wrap={{
          isOn: wraps,
          toggle: () => {
            writeStored(WRAP_KEY, wraps ? 'off' : null)
            setWraps(!wraps)
          },
        }}
        readText={source.sizeBytes <= COPIED_MAX_BYTES ? readText : null}
        ends={
          windows.hasBefore || windows.hasAfter
            ? {
                goTo: (place) => {
                  goTo(place)
                  scroller.current?.scrollTo({ top: 0 })
                },
              }
            : null
        }
      />
      <TextPieces
        windows={windows}
        wraps={wraps}
        language={codeLanguage(source.name, kind)}
        scroller={scroller}
      />
    </div>
  )
}

interface TextPiecesProps {
  windows: TextWindows
  wraps: boolean
  language: string | null
  scroller: React.RefObject<HTMLDivElement | null>
}

function TextPieces({ windows, wraps, language, scroller }: TextPiecesProps) {
  const { t } = useT()
  const { pieces, hasBefore, hasAfter, showBefore, showAfter, error } = windows
  const isCounted = pieces[0]?.firstLine !== null
  return (
    // The element is focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} className={styles.lines} tabIndex={0} data-wrap={wraps || undefined}>
      {hasBefore && <MoreText label={t('viewer.text.before')} onSeen={showBefore} />}
      {error !== null && <FailedBanner error={error} onRetry={hasAfter ? showAfter : showBefore} />}
      <div className={`${styles.code} dl-code`} data-counted={isCounted || undefined}>
        {pieces.map((piece) => (
          <TextPieceLines key={piece.firstByte} piece={piece} language={language} />
        ))}
      </div>
      {hasAfter && (
        <MoreText key={pieces.at(-1)?.endByte} label={t('viewer.text.after')} onSeen={showAfter} />
      )}
    </div>
  )
}

/** Loads more text on click, or when the button comes near the viewport. */
function MoreText({ label, onSeen }: { label: string; onSeen: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(onSeen)
  useEffect(() => {
    latest.current = onSeen
  })
  useEffect(() => {
    const element = button.current
    if (!element) return undefined
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
      },
      { root: element.parentElement, rootMargin: '200px 0px' },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return (
    <button ref={button} type="button" className={styles.more} onClick={onSeen}>
      {label}
    </button>
  )
}
