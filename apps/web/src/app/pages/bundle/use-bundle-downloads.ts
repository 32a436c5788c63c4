import { BATCH_PATHS_MAX } from '@dropleaf/contract'
import { downloadItems, fitsInArchive } from '../../../features/bundle-reading/api/bundle-files.ts'
import { downloadUrl } from '../../../domains/bundles/bundle-urls.ts'
import { itemPathOf } from '../../../features/bundle-reading/models/bundle-place.ts'
import type { ShownFiles } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import type { Entry } from '../../../features/fs/models/entries.ts'
import { nameOfPath } from '../../../features/fs/models/fs-paths.ts'
import { openDownload } from '../../../domains/transfers/archives/downloads.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { notify } from '../../../lib/notices.ts'

/** Downloads from a bundle: a single file unchanged, anything else as an archive. */
export function useBundleDownloads(opened: ShownFiles, onTicketEnded: () => void) {
  const { t } = useT()
  const start = async (paths: readonly string[], name: string | null) => {
    try {
      if (opened.decrypted) await opened.decrypted.save(paths, name)
      else await downloadItems(opened, { paths, name })
    } catch (error) {
      if (hasCode(error, 'bundle.ticket_invalid')) onTicketEnded()
      else notify('error', t('bundle.downloadFailed', { reason: errorText(error) }))
    }
  }
  return {
    /** Downloads a folder, or the whole bundle for the root. */
    folder: (path: string) => start(path === '/' ? [] : [itemPathOf(path)], null),
    /**
     * Downloads selected entries.
     * @param folder the folder that contains the entries
     * @param isWhole whether the entries are all entries of the folder
     */
    entries: (entries: readonly Entry[], folder: string, isWhole: boolean) => {
      const [only] = entries
      if (!only) return
      if (opened.decrypted && !isWhole)
        void start(
          entries.map(({ path }) => itemPathOf(path)),
          entries.length === 1 ? null : nameOfPath(folder) || null,
        )
      else if (entries.length === 1 && !only.isFolder)
        openDownload(downloadUrl(opened, itemPathOf(only.path)))
      else if (isWhole) void start(folder === '/' ? [] : [itemPathOf(folder)], null)
      else if (!fitsInArchive(entries.length))
        notify('error', t('bundle.tooMany', { count: BATCH_PATHS_MAX }))
      else
        void start(
          entries.map(({ path }) => itemPathOf(path)),
          entries.length === 1 ? null : nameOfPath(folder) || null,
        )
    },
  }
}
