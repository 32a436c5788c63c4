import type { OpenBundle } from '@dropleaf/contract'
import { ROOT } from '../../../features/bundle-reading/models/bundle-place.ts'
import { PasteBody } from '../../../features/pastes/components/reading/paste-body.tsx'
import { useReading } from '../../../features/pastes/components/reading/use-reading.ts'
import type { OutlineEntry } from '../../../domains/markdown/render/render.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useFilesOfBundle } from './use-files-of-bundle.ts'

interface BundleTextProps {
  bundle: OpenBundle
  page: NonNullable<OpenBundle['manifest']['page']>
  /** Opens a folder or a file of the bundle. */
  open: (path: string) => void
}

/** The headings have no list: the contents of the bundle are below the text. */
const NO_OUTLINE: readonly OutlineEntry[] = []

/** The page of a bundle, as the page of a text share shows a text. */
export function BundleText({ bundle, page, open }: BundleTextProps) {
  const { t } = useT()
  const reading = useReading({ content_type: page.type })
  const beside = useFilesOfBundle(bundle, ROOT, open)
  return (
    <section className="dl-bundle-text" aria-label={t('bundle.text')}>
      <PasteBody content={page.text} reading={reading} outline={NO_OUTLINE} beside={beside} />
    </section>
  )
}
