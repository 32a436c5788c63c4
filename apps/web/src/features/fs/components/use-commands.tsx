import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { noticeFailure } from '../../../domains/session/session-notices.ts'
import type { Conflict, Failure, TransferMode } from '../api/fs.api.ts'
import { download, transfer } from '../api/fs.api.ts'
import { invalidateListing } from '../api/fs.queries.ts'
import type { Command } from '../models/commands.ts'
import type { Entry } from '../models/entries.ts'
import { nameOfPath } from '../models/fs-paths.ts'
import { unmarkAll } from '../models/selection.ts'
import type { OpenDialog } from './dialogs/dialogs.tsx'
import { Dialogs } from './dialogs/dialogs.tsx'
import { FailuresDialog } from './dialogs/failures-dialog.tsx'
import type { ExplorerSlots } from './explorer.tsx'
import { flushRemovals } from './removals.ts'
import type { ExplorerAddress } from './use-address.ts'
import { useRemove } from './use-remove.ts'
import type { SelectionState } from './use-selection.ts'

interface CommandsOptions {
  address: ExplorerAddress
  canWrite: boolean
  mayWrite: boolean
  slots: ExplorerSlots
  selected: SelectionState
}

export interface Commands {
  readonly run: (command: Command, entries: readonly Entry[]) => void
  readonly makeFolder: () => void
  readonly transfer: (
    mode: TransferMode,
    entries: readonly Entry[],
    target: string,
    conflict?: Conflict,
  ) => void
  readonly dialog: ReactNode
}

/** Moves or copies entries, and reports the result. */
function useTransfer(options: CommandsOptions, showFailures: (failures: readonly Failure[]) => void) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const { path } = options.address
  const run = async (mode: TransferMode, entries: readonly Entry[], target: string, conflict: Conflict) => {
    try {
      await flushRemovals()
      const outcome = await transfer({ mode, entries, target, conflict })
      // If nothing was skipped, counts the selected entries, because the server also counts the contents of folders.
      const isWhole = outcome.skippedCount === 0
      const count = isWhole ? entries.length - outcome.failures.length : outcome.doneCount
      const words = { count, skipped: outcome.skippedCount, name: nameOfPath(target) }
      if (outcome.isRunning) notify('info', t(`explorer.${mode}.running`))
      else if (!isWhole) notify('info', t(`explorer.${mode}.skipped`, words))
      else if (count > 0) notify('success', t(`explorer.${mode}.done`, words))
      if (outcome.failures.length > 0) showFailures(outcome.failures)
      if (mode === 'move') options.selected.select(unmarkAll)
    } catch (error) {
      noticeFailure(error, t(`explorer.${mode}.failed`, { reason: errorText(error) }))
    }
    await Promise.all([invalidateListing(queryClient, path), invalidateListing(queryClient, target)])
  }
  return (mode: TransferMode, entries: readonly Entry[], target: string, conflict: Conflict = 'rename') =>
    void run(mode, entries, target, conflict)
}

export function useCommands(options: CommandsOptions): Commands {
  const { t } = useT()
  const { address, slots, selected } = options
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const showFailures = (more: readonly Failure[]) => setFailures((before) => [...before, ...more])
  const startTransfer = useTransfer(options, showFailures)
  const remove = useRemove(address.path, showFailures)
  const startDownload = (entries: readonly Entry[]) => {
    const archiveName = nameOfPath(address.path) || t('explorer.title')
    download(entries, archiveName).catch((error: unknown) =>
      noticeFailure(error, t('explorer.downloadFailed', { reason: errorText(error) })),
    )
  }
  const run = (command: Command, entries: readonly Entry[]) => {
    const [entry] = entries
    if (!entry) return
    switch (command) {
      case 'open':
        if (entry.isFolder) address.openFolder(entry.path)
        else address.showFile(entry.name)
        break
      case 'download':
        startDownload(entries)
        break
      case 'share':
        slots.onShare?.(entries)
        break
      case 'sealedCopy':
        slots.onSealedCopy?.(entries)
        break
      case 'basket':
        slots.onAddToBasket?.(entries)
        break
      case 'move':
      case 'copy':
        setDialog({ kind: 'transfer', mode: command, entries })
        break
      case 'delete':
        setDialog({ kind: 'delete', entries })
        break
      case 'link':
      case 'rename':
      case 'properties':
        setDialog({ kind: command, entry })
        break
      default:
        command satisfies never
    }
  }
  return {
    run,
    makeFolder: () => setDialog({ kind: 'newFolder' }),
    transfer: startTransfer,
    // Failures are shown after the open dialog has closed, because they must not replace the dialog.
    dialog: dialog ? (
      <Dialogs
        dialog={dialog}
        folder={address.path}
        onClose={() => setDialog(null)}
        onRemove={remove}
        onTransfer={startTransfer}
        onShow={(path) => {
          selected.select((before) => ({ ...before, marked: new Set(), active: path, anchor: path }))
          if (address.preview !== null) address.showFile(nameOfPath(path), { replace: true })
        }}
      />
    ) : (
      failures.length > 0 && <FailuresDialog failures={failures} onClose={() => setFailures([])} />
    ),
  }
}
