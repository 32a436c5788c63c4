import type { StorageConfig } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconDatabase, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { storageQueries } from '../../../lib/storage-queries.ts'
import { useWish } from '../../../lib/wishes.ts'
import { PageMessage } from '../../../ui/message.tsx'
import { ModuleList } from '../../../ui/module-list.tsx'
import { makeDefault } from '../api/storage-configs.api.ts'
import { DeleteStorageDialog } from '../components/delete-storage-dialog.tsx'
import { StorageCard, type StorageCommands } from '../components/storage-card.tsx'
import { StorageDialog } from '../components/storage-dialog.tsx'
import styles from '../components/storages.module.css'
import { TestDialog } from '../components/test-dialog.tsx'
import { useStorageTest } from '../components/use-storage-test.ts'
import { type Verdict, verdictOf } from '../models/verdict.ts'

type OpenDialog =
  | { readonly kind: 'edit'; readonly config: StorageConfig | null }
  | { readonly kind: 'delete' | 'test'; readonly config: StorageConfig }

/** Storages: where the bytes are kept. */
export function StorageConfigsPage() {
  const { t } = useT()
  const queryClient = useQueryClient()
  const storages = useQuery(storageQueries.all())
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => setDialog(null)
  const testing = useStorageTest()
  const verdicts = useVerdicts(testing)
  const choosing = useMutation({
    mutationFn: (config: StorageConfig) => makeDefault(config.id),
    onSuccess: async (_reply, { name }) => {
      await queryClient.invalidateQueries({ queryKey: storageQueries.all().queryKey })
      notify('success', t('storages.nowDefault', { name }))
    },
    onError: (error) => notify('error', errorText(error)),
  })
  const test = (config: StorageConfig) => {
    setDialog({ kind: 'test', config })
    testing.begin(config.id)
  }
  const commands: StorageCommands = {
    test,
    setDefault: (config) => choosing.mutate(config),
    edit: (config) => setDialog({ kind: 'edit', config }),
    remove: (config) => setDialog({ kind: 'delete', config }),
  }
  const saved = (id: string | null) => {
    close()
    const made = queryClient.getQueryData(storageQueries.all().queryKey)?.find((one) => one.id === id)
    if (!made) notify('success', t('storages.saved'))
    else
      notify('info', t('storages.createdNotice'), {
        action: { label: t('storages.testNow'), run: () => test(made) },
      })
  }
  const openNew = () => setDialog({ kind: 'edit', config: null })
  useWish('new-storage', openNew)
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
      {dialog?.kind === 'edit' && <StorageDialog edited={dialog.config} onSaved={saved} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteStorageDialog config={dialog.config} onClose={close} />}
      {dialog?.kind === 'test' && <TestDialog config={dialog.config} testing={testing} onClose={close} />}
    </>
  )
}

/** What the tests since the page was opened have said, by storage. */
function useVerdicts({ server }: ReturnType<typeof useStorageTest>): ReadonlyMap<string, Verdict> {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, Verdict>>(new Map())
  const id = server.variables?.id
  const verdict = server.data && verdictOf(server.data.result)
  if (id !== undefined && verdict && verdicts.get(id) !== verdict)
    setVerdicts(new Map([...verdicts, [id, verdict]]))
  return verdicts
}
