import type { StorageConfig } from '@dropleaf/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'
import { makeDefault } from '../api/storage-configs.api.ts'
import { type Verdict, verdictOf } from '../models/test-verdict.ts'
import { DeleteStorageDialog } from './delete-storage-dialog.tsx'
import type { StorageCommands } from './storage-card.tsx'
import { StorageDialog } from './storage-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useStorageTest } from './use-storage-test.ts'

type OpenDialog =
  | { readonly kind: 'edit'; readonly config: StorageConfig | null }
  | { readonly kind: 'delete' | 'test'; readonly config: StorageConfig }

interface StorageTools {
  readonly commands: StorageCommands
  /** Verdicts since the page was opened, by storage id. */
  readonly verdicts: ReadonlyMap<string, Verdict>
  readonly openNew: () => void
  /** The dialogs of the actions, which the page must render. */
  readonly dialogs: ReactNode
}

/**
 * Actions of storages, with their dialogs.
 * @param testsNew whether a new storage is tested automatically
 */
export function useStorageTools({ testsNew = false } = {}): StorageTools {
  const { t } = useT()
  const queryClient = useQueryClient()
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
    else if (testsNew) test(made)
    else
      notify('info', t('storages.createdNotice'), {
        action: { label: t('storages.testNow'), run: () => test(made) },
      })
  }
  const openNew = () => setDialog({ kind: 'edit', config: null })
  const dialogs = (
    <>
      {dialog?.kind === 'edit' && <StorageDialog edited={dialog.config} onSaved={saved} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteStorageDialog config={dialog.config} onClose={close} />}
      {dialog?.kind === 'test' && (
        <TestDialog
          config={dialog.config}
          testing={testing}
          onEdit={() => commands.edit(dialog.config)}
          onClose={close}
        />
      )}
    </>
  )
  return { commands, verdicts, openNew, dialogs }
}

/** Collects the verdicts since the page was opened, by storage id. */
function useVerdicts({ server }: ReturnType<typeof useStorageTest>): ReadonlyMap<string, Verdict> {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, Verdict>>(new Map())
  const id = server.variables?.id
  const verdict = server.data && verdictOf(server.data.result)
  if (id !== undefined && verdict && verdicts.get(id) !== verdict)
    setVerdicts(new Map([...verdicts, [id, verdict]]))
  return verdicts
}
