import { useComputedColorScheme } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import bookStyles from './ebook-preview.module.css'
import partStyles from '../preview-parts.module.css'
import { PageSteps } from '../page-steps.tsx'
import type { ProviderProps } from '../providers.ts'
import { SafeFrame } from '../safe-frame.tsx'
import { SmallSelect } from '../small-select.tsx'
import { usePreviewData } from '../use-preview-data.ts'
import { type Ebook, openEbook, readChapter } from './ebook.ts'

const LIGHT = { ground: '#fff', text: '#1b1f1c' }
const DARK = { ground: '#1b1f1c', text: '#e5e9e5' }
const SIZES = [90, 100, 120, 140, 170] as const
const KEY = 'dropleaf.book'

interface Kept {
  readonly book: string
  readonly chapter: number
}

function readKept(book: string): number {
  const kept = readStoredJson(KEY) as Partial<Kept> | null
  return kept?.book === book && Number.isInteger(kept.chapter) ? Number(kept.chapter) : 0
}

const pageStyles = (colours: typeof LIGHT, sizePercent: number, isDark: boolean) =>
  `html { font-size: ${sizePercent}%; background: ${colours.ground}; color-scheme: ${isDark ? 'dark' : 'light'} }
  body { max-width: 40em; margin: 0 auto !important; padding: 24px 20px 48px !important; background: ${colours.ground};
    color: ${colours.text}; line-height: 1.65; overflow-wrap: anywhere }
  ${isDark ? 'body * { color: inherit !important; background-color: transparent !important }' : ''}
  img, svg, video { max-width: 100%; height: auto } a { color: inherit }`

export function EbookPreview({ source, isFull }: ProviderProps) {
  const { t } = useT()
  const book = usePreviewData({
    source,
    key: ['ebook'],
    load: (signal) => openEbook(source, keepOpen(signal)),
  })
  if (!book) return <SkeletonLines label={t('preview.loading')} />
  return <Reader book={book} source={source} isFull={isFull} />
}

/**
 * Returns a signal that never aborts, because chapters are read long after opening the book. Throws if the given
 * signal has already aborted.
 */
function keepOpen(signal: AbortSignal): AbortSignal {
  signal.throwIfAborted()
  return new AbortController().signal
}

interface ReaderProps extends Pick<ProviderProps, 'source' | 'isFull'> {
  book: Ebook
}

function Reader({ book, source, isFull }: ReaderProps) {
  const { t } = useT()
  const isDark = useComputedColorScheme() === 'dark'
  const key = `${source.name} ${source.sizeBytes}`
  const [chapter, setChapter] = useState(() => Math.min(book.chapters.length - 1, readKept(key)))
  const [size, setSize] = useState<number>(100)
  const go = (next: number) => {
    setChapter(next)
    writeStored(KEY, JSON.stringify({ book: key, chapter: next }))
  }
  const page = usePreviewData({
    source,
    key: ['chapter', chapter, size, isDark],
    load: () => readChapter(book, chapter, pageStyles(isDark ? DARK : LIGHT, size, isDark)),
  })
  return (
    <div className={partStyles.table}>
      <div className={partStyles.bar}>
        <span className={partStyles.state}>
          {book.title && <DisplayName name={book.title} />}
          {book.title && book.author && ' · '}
          {book.author && <DisplayName name={book.author} />}
        </span>
        {book.toc.length > 0 && (
          <SmallSelect
            label={t('viewer.ebook.contents')}
            value={String(book.toc.findLast((entry) => entry.chapter <= chapter)?.chapter ?? '')}
            options={tocOptions(book)}
            onChange={(value) => go(Number(value))}
          />
        )}
        <SmallSelect
          label={t('viewer.ebook.size')}
          value={String(size)}
          options={SIZES.map((value) => ({ value: String(value), label: `${value}%` }))}
          onChange={(value) => setSize(Number(value))}
        />
      </div>
      {page === undefined ? (
        <SkeletonLines label={t('preview.loading')} />
      ) : (
        <SafeFrame
          key={chapter}
          html={page}
          title={source.name}
          className={isFull ? bookStyles.bookFull : bookStyles.book}
        />
      )}
      <PageSteps page={chapter} count={book.chapters.length} onChange={go} />
    </div>
  )
}

/** Returns one option per chapter. Omits further entries that point into the same chapter. */
function tocOptions({ toc }: Ebook) {
  const seen = new Set<number>()
  return toc.flatMap(({ title, depth, chapter }) => {
    if (seen.has(chapter)) return []
    seen.add(chapter)
    return [{ value: String(chapter), label: `${'\u2003'.repeat(depth)}${showInvisible(title)}` }]
  })
}
