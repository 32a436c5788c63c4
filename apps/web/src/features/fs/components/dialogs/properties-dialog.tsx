import type { FsProperties } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatBytes, formatDateTime, formatNumber } from '../../../../lib/format.ts'
import { errorText } from '../../../../i18n/error-text.ts'
import { displayName } from '../../../../domains/storages/display-name.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { showInvisible } from '../../../../lib/text/invisible-characters.ts'
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Banner } from '../../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { fsQueries } from '../../api/fs.queries.ts'
import type { Entry } from '../../models/entries.ts'
import { kindOf } from '../../models/entries.ts'
import styles from './dialogs.module.css'

/** Shows the properties of a file or folder, including the total size of a folder. */
export function PropertiesDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { t } = useT()
  const facts = useQuery(fsQueries.properties(entry.path))
  return (
    <Dialog
      title={showInvisible(entry.name)}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {facts.isPending && <SkeletonLines label={t('explorer.properties.counting')} />}
      {facts.isError && (
        <Banner
          tone="error"
          actions={
            <Button size="compact-sm" variant="default" onClick={() => void facts.refetch()}>
              {t('common.retry')}
            </Button>
          }
        >
          {errorText(facts.error)}
        </Banner>
      )}
      {facts.data && <Facts entry={entry} facts={facts.data.data} />}
    </Dialog>
  )
}

function Facts({ entry, facts }: { entry: Entry; facts: FsProperties }) {
  const { t, language } = useT()
  const kind = kindOf(entry)
  const kindText =
    kind === 'folder'
      ? t(facts.isVirtual ? 'explorer.kind.mount' : 'explorer.kind.folder')
      : t(`preview.kinds.${kind}`)
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('explorer.sort.type')}</dt>
        <dd>
          {facts.contentType === null || facts.isDirectory
            ? kindText
            : t('common.nameAndKind', { name: kindText, kind: facts.contentType })}
        </dd>
        <dt>{t('explorer.path')}</dt>
        <dd className={styles.link}>
          <span>{entry.path}</span>
          <CopyButton text={entry.path} label={t('explorer.copyPath')} />
        </dd>
        {facts.mount && (
          <>
            <dt>{t('explorer.kind.mount')}</dt>
            <dd>{displayName(facts.mount.name)}</dd>
          </>
        )}
        <dt>{t('explorer.sort.size')}</dt>
        <dd>
          {t('common.nameAndKind', {
            name: formatBytes(facts.size, language),
            kind: t('explorer.bytes', { count: facts.size }),
          })}
        </dd>
        {facts.isDirectory && (
          <>
            <dt>{t('explorer.properties.contents')}</dt>
            <dd>
              {t('explorer.properties.counts', {
                files: formatNumber(facts.files, language),
                folders: formatNumber(facts.folders, language),
              })}
            </dd>
          </>
        )}
        {facts.modified !== null && (
          <>
            <dt>{t('explorer.sort.modified')}</dt>
            <dd>{formatDateTime(facts.modified, language)}</dd>
          </>
        )}
      </dl>
      {!facts.complete && <p className={styles.more}>{t('explorer.properties.incomplete')}</p>}
    </>
  )
}
