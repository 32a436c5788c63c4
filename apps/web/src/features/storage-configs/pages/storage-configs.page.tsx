import { Button } from '@mantine/core'
import { IconDatabase, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../../../i18n/use-translation.ts'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'
import { usePendingAction } from '../../../lib/pending-actions.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { ModuleList } from '../../../ui/layout/module-list.tsx'
import { StorageCard } from '../components/storage-card.tsx'
import styles from '../components/storages.module.css'
import { useStorageTools } from '../components/use-storage-tools.tsx'

export function StorageConfigsPage() {
  const { t } = useT()
  const storages = useQuery(storageQueries.all())
  const { commands, verdicts, openNew, dialogs } = useStorageTools()
  usePendingAction('new-storage', openNew)
  const create = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={openNew}>
      {t('storages.create')}
    </Button>
  )
  return (
    <>
      <ModuleList
        title={t('manage.modules.storage-config')}
        query={storages}
        actions={create}
        isEmpty={({ length }) => length === 0}
        empty={
          <PageMessage
            level={2}
            icon={<IconDatabase size={28} aria-hidden />}
            title={t('storages.empty.title')}
            text={t('storages.empty.text')}
          >
            {create}
          </PageMessage>
        }
      >
        {(data) => (
          <ul className={styles.cards} aria-label={t('manage.modules.storage-config')}>
            {data.map((config) => (
              <StorageCard
                key={config.id}
                config={config}
                verdict={verdicts.get(config.id)}
                commands={commands}
              />
            ))}
          </ul>
        )}
      </ModuleList>
      {dialogs}
    </>
  )
}
