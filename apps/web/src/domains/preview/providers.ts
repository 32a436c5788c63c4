import { MIB } from '@dropleaf/contract'
import type { ComponentType } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import type { FileKind } from './kinds/file-kind.ts'
import { byExtension, isTable, isTree } from './kinds/by-extension.ts'
import type { PreviewSource } from './preview-source.ts'

/** Lets a player play several recordings in a row. */
export interface Playing {
  /** Whether playback starts automatically. */
  readonly isStarted: boolean
  readonly onPlaying: (isPlaying: boolean) => void
  readonly onEnded: () => void
}

export interface ProviderProps {
  readonly source: PreviewSource
  readonly kind: FileKind
  /** Extension of the format found in the bytes; absent or `null` if the name determines the format. */
  readonly extension?: string | null
  /** Whether the parent has a fixed height and the left and right arrow keys lead to other files. */
  readonly isFull: boolean
  readonly playing?: Playing
  /** Called when a preview hands the file over to another provider. Receives the name of the other provider. */
  readonly onShownAs?: (name: ProviderName) => void
}

export type ProviderName =
  | 'image'
  | 'heic'
  | 'tiff'
  | 'hls'
  | 'video'
  | 'audio'
  | 'pdf'
  | 'ebook'
  | 'markdown'
  | 'page'
  | 'table'
  | 'tree'
  | 'word'
  | 'sheet'
  | 'slides'
  | 'archive'
  | 'font'
  | 'text'
  | 'facts'
  | 'bytes'
  | 'online'

/** Facts that determine the providers of a file. */
export interface PreviewFile {
  readonly kind: FileKind
  readonly name: string
  readonly sizeBytes: number
  /** Whether an online service could fetch the file. */
  readonly isPublic: boolean
}

export interface PreviewProvider {
  readonly name: ProviderName
  readonly takes: (file: PreviewFile) => boolean
  /** Maximum file size of this preview. Larger files would need too much memory. */
  readonly maxBytes?: number
  readonly load: () => Promise<ComponentType<ProviderProps>>
}

const ofKind =
  (...kinds: readonly FileKind[]) =>
  ({ kind }: PreviewFile) =>
    kinds.includes(kind)

const isHeic = byExtension('heic heif hif')
const isTiff = byExtension('tif tiff')
const isStreamList = byExtension('m3u8')
const isEbook = byExtension('epub')
const isWord = byExtension('docx docm dotx dotm')
const isSheet = byExtension('xlsx xlsm xlsb xltx xltm xls xlt ods fods numbers dif slk')
const isSlides = byExtension('pptx pptm ppsx potx')
const isOpenText = byExtension('odt ott')
const isArchive = byExtension('zip jar war ear apk ipa aar xpi cbz crx whl nupkg vsix tar tgz gz')
const isOffice = byExtension('doc docx xls xlsx ppt pptx odt ods odp')
const isRichText = byExtension('rtf')
const isDrawing = byExtension('svg')
const isText = ofKind('text', 'code', 'markdown', 'html')

const loadText = async () => (await import('./text/text-preview.tsx')).TextPreview

/** Providers in order of preference. The first match shows a file; the other matches are offered as alternatives. */
const PROVIDERS: readonly PreviewProvider[] = [
  {
    name: 'heic',
    takes: isHeic,
    maxBytes: 64 * MIB,
    load: async () => (await import('./images/decoded-image-preview.tsx')).HeicPreview,
  },
  {
    name: 'tiff',
    takes: isTiff,
    maxBytes: 128 * MIB,
    load: async () => (await import('./images/decoded-image-preview.tsx')).TiffPreview,
  },
  {
    name: 'image',
    takes: (file) => file.kind === 'image' && !isHeic(file) && !isTiff(file),
    load: async () => (await import('./images/image-preview.tsx')).ImagePreview,
  },
  {
    name: 'hls',
    takes: isStreamList,
    maxBytes: 4 * MIB,
    load: async () => (await import('./media/hls-preview.tsx')).HlsPreview,
  },
  {
    name: 'video',
    takes: ofKind('video'),
    load: async () => (await import('./media/media-preview.tsx')).VideoPreview,
  },
  {
    name: 'audio',
    takes: ofKind('audio'),
    load: async () => (await import('./media/media-preview.tsx')).AudioPreview,
  },
  {
    name: 'pdf',
    takes: ofKind('pdf'),
    load: async () => (await import('./pdf/pdf-preview.tsx')).PdfPreview,
  },
  {
    name: 'ebook',
    takes: isEbook,
    load: async () => (await import('./ebook/ebook-preview.tsx')).EbookPreview,
  },
  {
    name: 'markdown',
    takes: ofKind('markdown'),
    maxBytes: 10 * MIB,
    load: async () => (await import('./text/rendered-preview.tsx')).MarkdownPreview,
  },
  {
    name: 'page',
    takes: ofKind('html'),
    maxBytes: 10 * MIB,
    load: async () => (await import('./text/rendered-preview.tsx')).PagePreview,
  },
  {
    name: 'table',
    takes: isTable,
    load: async () => (await import('./table/csv-preview.tsx')).CsvPreview,
  },
  {
    name: 'tree',
    takes: isTree,
    maxBytes: 32 * MIB,
    load: async () => (await import('./tree/tree-preview.tsx')).TreePreview,
  },
  {
    name: 'word',
    takes: (file) => isWord(file) || isOpenText(file),
    maxBytes: 64 * MIB,
    load: async () => (await import('./office/word-preview.tsx')).WordPreview,
  },
  {
    name: 'sheet',
    takes: (file) => isSheet(file) || isTable(file),
    maxBytes: 32 * MIB,
    load: async () => (await import('./office/sheet-preview.tsx')).SheetPreview,
  },
  {
    name: 'slides',
    takes: isSlides,
    load: async () => (await import('./office/slides-preview.tsx')).SlidesPreview,
  },
  {
    name: 'font',
    takes: ofKind('font'),
    maxBytes: 64 * MIB,
    load: async () => (await import('./font/font-preview.tsx')).FontPreview,
  },
  {
    name: 'text',
    takes: (file) => isText(file) || isDrawing(file) || isStreamList(file) || isTree(file) || isTable(file),
    load: loadText,
  },
  {
    name: 'archive',
    takes: isArchive,
    load: async () => (await import('./archive/archive-preview.tsx')).ArchivePreview,
  },
  {
    name: 'facts',
    takes: () => true,
    load: async () => (await import('./facts-preview.tsx')).FactsPreview,
  },
  {
    // This provider comes after `facts`, because the source of rich text is mostly markup.
    name: 'text',
    takes: isRichText,
    load: loadText,
  },
  {
    name: 'online',
    takes: (file) => file.isPublic && isOffice(file),
    load: async () => (await import('./office/online-preview.tsx')).OnlinePreview,
  },
  {
    name: 'bytes',
    takes: () => true,
    load: async () => (await import('./bytes/bytes-preview.tsx')).BytesPreview,
  },
]

const fits = (provider: PreviewProvider, { sizeBytes }: PreviewFile) =>
  sizeBytes <= (provider.maxBytes ?? Infinity)

/** Returns the preview providers for a file, best first. At least two always match: `facts` and `bytes`. */
export const findProviders = (file: PreviewFile): readonly PreviewProvider[] =>
  PROVIDERS.filter((provider) => provider.takes(file) && fits(provider, file))

/** Whether the best preview for this kind of file supports only smaller files. */
export const isTooLarge = (file: PreviewFile): boolean => {
  const best = PROVIDERS.find((provider) => provider.takes(file))
  return best !== undefined && !fits(best, file)
}

/** @throws {ApiError} `client.unknown_provider` if there is no provider with this name */
export function getProvider(name: string): PreviewProvider {
  const found = PROVIDERS.find((provider) => provider.name === name)
  if (found) return found
  throw new ApiError({ kind: 'http', code: 'client.unknown_provider', message: `No provider: ${name}` })
}
