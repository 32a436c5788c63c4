import { lazy, Suspense } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import type { EditorTarget } from '../../../../domains/editor/editor-target.ts'
import type { ShareOptions } from '../../../../domains/shares/share-options.ts'
import styles from './home-files.module.css'
import { loadShares, useHomeFiles } from './use-home-files.ts'

const HomeFilesList = lazy(async () => ({ default: (await loadShares()).HomeFilesList }))

interface HomeFilesProps {
  target: EditorTarget | null
  isMarkdown: boolean
  /** Their password, expiry and view limit apply to the files, too. */
  options: ShareOptions
  /** The options are invalid. */
  onRefuse: () => void
}

/** Shares files that are dropped or pasted anywhere on the home page, and lists them. */
export function HomeFiles({ target, isMarkdown, options, onRefuse }: HomeFilesProps) {
  const { t } = useT()
  const { isOver, isShown, retry } = useHomeFiles({ options, onRefuse })
  return (
    <>
      {isShown && (
        <Suspense fallback={null}>
          <HomeFilesList target={target} isMarkdown={isMarkdown} onRetry={retry} />
        </Suspense>
      )}
      {isOver && (
        <output className={styles.over}>
          <span>{t('home.dropFiles')}</span>
        </output>
      )}
    </>
  )
}
