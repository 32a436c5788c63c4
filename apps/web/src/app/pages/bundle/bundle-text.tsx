import type { ShownBundle } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import { ROOT } from '../../../features/bundle-reading/models/bundle-place.ts'
import { PasteBody } from '../../../features/pastes/components/reading/paste-body.tsx'
import { useReading } from '../../../features/pastes/components/reading/use-reading.ts'
import type { OutlineEntry } from '../../../domains/markdown/render/render.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { followInside } from './follow-inside.ts'
import { useFilesOfBundle } from './use-files-of-bundle.ts'

interface BundleTextProps {
  bundle: ShownBundle
  page: NonNullable<ShownBundle['manifest']['page']>
  /** Opens a folder or a file of the bundle. */
  open: (path: string) => void
}

/** Shows no outline of the headings, because the contents of the bundle follow the text. */
const NO_OUTLINE: readonly OutlineEntry[] = []

/** Shows the page of a bundle in the same way as a text share. */
export function BundleText({ bundle, page, open }: BundleTextProps) {
  const { t } = useT()
  const isEncrypted = bundle.decrypted !== undefined
  const reading = useReading({ content_type: page.type }, { writesAddress: !isEncrypted })
  const beside = useFilesOfBundle(bundle, ROOT, open)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- catches clicks on links inside
    <section
      className="dl-bundle-text"
      aria-label={t('bundle.text')}
      {...(isEncrypted && { onClick: ({ nativeEvent }) => followInside(nativeEvent) })}
    >
      <PasteBody
        content={page.text}
        reading={reading}
        outline={NO_OUTLINE}
        beside={beside}
        // Other sites would learn who reads an encrypted text.
        isGuarded={isEncrypted}
      />
    </section>
  )
}
