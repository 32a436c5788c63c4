import { lazy, Suspense, useMemo } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { areSame, compareManifests, type ComparedManifest } from '../models/manifest-changes.ts'
import styles from './changes.module.css'

const TextDiff = lazy(async () => {
  const { TextDiff: Diff } = await import('../../../domains/text-diff/text-diff.tsx')
  return { default: Diff }
})

/** Maximum number of listed names, because a user can add a folder with thousands of files. */
const NAMES_MAX = 100

interface ManifestChangesViewProps {
  before: ComparedManifest
  after: ComparedManifest
}

/** Shows the differences between two revisions, such as the changed files and the changed words of the page. */
export function ManifestChangesView({ before, after }: ManifestChangesViewProps) {
  const { t } = useT()
  const changes = useMemo(() => compareManifests(before, after), [before, after])
  if (areSame(changes)) return <p className={styles.note}>{t('bundleEditing.changes.none')}</p>
  const { added, removed, replaced, renamed, title, page } = changes
  const noTitle = t('bundleEditing.changes.noTitle')
  return (
    <div className={styles.changes}>
      {title && (
        <p className={styles.title}>
          {t('bundleEditing.changes.title')}: <del>{showInvisible(title.before || noTitle)}</del>{' '}
          <ins>{showInvisible(title.after || noTitle)}</ins>
        </p>
      )}
      <Names sign="+" title={t('bundleEditing.changes.added', { count: added.length })} names={added} />
      <Names sign="−" title={t('bundleEditing.changes.removed', { count: removed.length })} names={removed} />
      <Names
        sign="~"
        title={t('bundleEditing.changes.replaced', { count: replaced.length })}
        names={replaced}
      />
      <Names
        sign="→"
        title={t('bundleEditing.changes.renamed', { count: renamed.length })}
        names={renamed.map(({ from, to }) => `${from} → ${to}`)}
      />
      {changes.isReordered && <p className={styles.note}>{t('bundleEditing.changes.reordered')}</p>}
      {changes.isOtherFormat && <p className={styles.note}>{t('bundleEditing.changes.format')}</p>}
      {page && (
        <section className={styles.text} aria-label={t('bundleEditing.changes.text')}>
          <Suspense fallback={<SkeletonLines label={t('common.loading')} />}>
            <TextDiff before={page.before} after={page.after} />
          </Suspense>
        </section>
      )}
    </div>
  )
}

function Names({ sign, title, names }: { sign: string; title: string; names: readonly string[] }) {
  const { t } = useT()
  if (names.length === 0) return null
  const hidden = names.length - NAMES_MAX
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>
        <span className={styles.sign} aria-hidden>
          {sign}
        </span>
        {title}
      </h3>
      <ul className={styles.names}>
        {names.slice(0, NAMES_MAX).map((name) => (
          <li key={name}>
            <DisplayName name={name} />
          </li>
        ))}
        {hidden > 0 && <li className={styles.note}>{t('bundleEditing.changes.more', { count: hidden })}</li>}
      </ul>
    </section>
  )
}
