import { lazy, Suspense, useEffect } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import type { EditorTarget } from '../../../../domains/editor/editor-target.ts'
import type { ShareOptions } from '../../../../domains/shares/share-options.ts'
import type { RelativeFiles } from '../../../../domains/markdown/render/relative-links.ts'
import { besideOf } from './beside-picks.ts'
import styles from './home-files.module.css'
import { useHomePicks } from '../../../../domains/bundles/home-bundles.ts'
import { loadShares, useHomeFiles } from './use-home-files.ts'

const HomeFilesList = lazy(async () => ({ default: (await loadShares()).HomeFilesList }))

interface HomeFilesProps {
  target: EditorTarget | null
  isMarkdown: boolean
  /** The password, expiry, view limit, opening and PIN also apply to the files. */
  options: ShareOptions
  /** Whether the text can be shared. Files can then be shared with it. */
  mayPublish: boolean
  /** Whether the text will be end-to-end encrypted. */
  isSealed: boolean
  settleSealing: () => Promise<boolean>
  /** Called if the options are invalid. */
  onRefuse: () => void
  /** Resumes the unfinished bundle. */
  onRetry: () => void
  /** Called with the files that the text can reference. */
  onBeside: (files: RelativeFiles | null) => void
}

/** Accepts files that are dropped or pasted anywhere on the home page, and lists them. */
export function HomeFiles(props: HomeFilesProps) {
  const { t } = useT()
  const { target, isMarkdown, options, mayPublish, isSealed, settleSealing, onRefuse, onRetry, onBeside } =
    props
  const files = useHomeFiles({ options, mayPublish, isSealed, settleSealing, onRefuse })
  const picks = useHomePicks()
  useEffect(() => onBeside(picks.length > 0 ? besideOf(picks) : null), [picks, onBeside])
  return (
    <>
      {files.isShown && (
        <Suspense fallback={null}>
          <HomeFilesList
            target={target}
            isMarkdown={isMarkdown}
            choice={files.choice}
            onChoose={mayPublish && !isSealed ? files.choose : null}
            isSealed={isSealed}
            onRetry={files.retry}
            onRetryBundle={onRetry}
            onMoveOut={files.moveOut}
          />
        </Suspense>
      )}
      {files.isOver && (
        <output className={styles.over}>
          <span>{t('home.dropFiles')}</span>
        </output>
      )}
    </>
  )
}
