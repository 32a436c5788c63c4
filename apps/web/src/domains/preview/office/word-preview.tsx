import { MIB } from '@dropleaf/contract'
import { extensionOf } from '../kinds/file-kind.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { readAll } from '../reading/byte-source.ts'
import frameStyles from '../safe-frame.module.css'
import partStyles from '../preview-parts.module.css'
import { PreviewError } from '../preview-error.ts'
import type { ProviderProps } from '../providers.ts'
import { SafeFrame } from '../safe-frame.tsx'
import { usePreviewData } from '../use-preview-data.ts'

const MAX_BYTES = 64 * MIB
const ZIP_MARK = 0x4b50
const COMPOUND_MARK = 0xcfd0

/** Converts a text document to a page in the browser and shows it. */
export function WordPreview({ source, extension, isFull }: ProviderProps) {
  const { t, language } = useT()
  const form = extension ?? extensionOf(source.name)
  const html = usePreviewData({
    source,
    key: ['word', form, language],
    load: async (signal) => {
      if (['odt', 'ott'].includes(form)) {
        const { odtToHtml } = await import('./odt-html.ts')
        return odtToHtml(source, signal)
      }
      const bytes = await readAll(source, { maxBytes: MAX_BYTES, signal })
      const mark = (bytes[0] ?? 0) + (bytes[1] ?? 0) * 256
      // Encrypted documents are compound files.
      if (mark === COMPOUND_MARK) throw new PreviewError('encrypted')
      if (mark !== ZIP_MARK) throw new PreviewError('damaged')
      const { wordToHtml } = await import('./word-html.ts')
      return wordToHtml(bytes, {
        elsewhere: (host) => t('viewer.office.pictureElsewhere', { host }),
        missing: t('viewer.office.pictureMissing'),
        unknown: t('viewer.office.pictureUnknown'),
      })
    },
  })
  if (html === undefined) return <SkeletonLines label={t('preview.loading')} />
  return (
    <>
      <SafeFrame html={html} title={source.name} className={isFull ? frameStyles.webFull : frameStyles.web} />
      <p className={partStyles.note}>{t('viewer.office.local')}</p>
    </>
  )
}
