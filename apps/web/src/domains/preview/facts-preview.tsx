import { formatBytes } from '../../lib/format.ts'
import { extensionOf, hasNoExtension } from './kinds/file-kind.ts'
import { useT } from '../../i18n/use-translation.ts'
import { FileIcon } from './kinds/file-icon.tsx'
import styles from './file-preview.module.css'
import { isTooLarge, type ProviderProps } from './providers.ts'
import { FactsList } from './facts-list.tsx'

/** Shows facts about a file in place of its content. */
export function FactsPreview({ source, kind, extension }: ProviderProps) {
  const { t, language } = useT()
  const { name, sizeBytes } = source
  const isLarge = isTooLarge({
    kind,
    name: extension === null || extension === undefined ? name : `file.${extension}`,
    sizeBytes,
    isPublic: false,
  })
  const facts: (readonly [string, string])[] = [
    [t('viewer.facts.kind'), t(`preview.kinds.${kind}`)],
    [t('viewer.facts.size'), formatBytes(sizeBytes, language)],
    ...(hasNoExtension(name) ? [] : [[t('viewer.facts.extension'), `.${extensionOf(name)}`] as const]),
  ]
  return (
    <div className={styles.none}>
      <FileIcon kind={kind} size={40} />
      <p>{t(isLarge ? 'viewer.tooLarge' : 'preview.none')}</p>
      <FactsList facts={facts} />
    </div>
  )
}
