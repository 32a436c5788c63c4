import { Button } from '@mantine/core'
import { IconFolderOpen, IconFolderSymlink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useT } from '../../../i18n/use-translation.ts'
import { openPathOf, type VisibleMount, visibleMounts } from '../../../domains/storages/mount-queries.ts'
import type { Session } from '../../../domains/session/stored-session.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { ModuleList } from '../../../ui/layout/module-list.tsx'
import { explorerLink } from './mount-row.tsx'
import styles from './mounts.module.css'

type KeySession = Extract<Session, { kind: 'apikey' }>

/** Lists the mounts that an API key can access. */
export function KeyMounts({ session }: { session: KeySession }) {
  const { t } = useT()
  const mounts = useQuery(visibleMounts())
  return (
    <ModuleList
      title={t('manage.modules.mount-management')}
      query={mounts}
      isEmpty={({ length }) => length === 0}
      empty={
        <PageMessage
          level={2}
          icon={<IconFolderSymlink size={28} aria-hidden />}
          title={t('mounts.empty.keyTitle')}
          text={t('mounts.empty.keyText')}
        />
      }
    >
      {(data) => (
        <>
          <p className={formStyles.text}>{t('mounts.keyText')}</p>
          <ul className={styles.list} aria-label={t('manage.modules.mount-management')}>
            {data.map((mount) => (
              <KeyMount key={mount.id} mount={mount} session={session} />
            ))}
          </ul>
        </>
      )}
    </ModuleList>
  )
}

function KeyMount({ mount, session }: { mount: VisibleMount; session: KeySession }) {
  const { t } = useT()
  const path = openPathOf(mount.mount_path, session.info.basic_path)
  return (
    <li className={styles.row} data-plain>
      <div className={styles.main}>
        <div className={styles.titleLine}>
          <h2 className={styles.name} dir="auto">
            {mount.name}
          </h2>
          {session.permissions.mount_read_only && (
            <span className={styles.chip} data-off>
              {t('mounts.readOnly')}
            </span>
          )}
        </div>
        <span className={styles.path}>{mount.mount_path}</span>
        {mount.remark && <p className={styles.facts}>{mount.remark}</p>}
      </div>
      <div className={styles.actions}>
        <Button
          renderRoot={(props) => <Link {...explorerLink(path)} {...props} />}
          variant="default"
          leftSection={<IconFolderOpen size={18} aria-hidden />}
          aria-label={t('mounts.openOf', { name: mount.name })}
        >
          {t('mounts.open')}
        </Button>
      </div>
    </li>
  )
}
