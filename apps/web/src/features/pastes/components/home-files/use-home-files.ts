import { useState } from 'react'
import { errorText } from '../../../../i18n/error-text.ts'
import { loadWords } from '../../../../i18n/i18n.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { notify } from '../../../../lib/notices.ts'
import { useSession } from '../../../../domains/session/session.ts'
import { can } from '../../../../domains/session/stored-session.ts'
import {
  areOptionsValid,
  openingOf,
  parseMaxViews,
  type ShareOptions,
} from '../../../../domains/shares/share-options.ts'
import {
  nameScreenshot,
  type PickedFile,
  pickFromDrop,
} from '../../../../domains/transfers/uploads/picked-files.ts'
import type { UploadEntry } from '../../../../domains/transfers/uploads/upload-store.ts'
import { useFileIntake } from '../../../../domains/transfers/uploads/use-file-intake.ts'

/** Whether this tab has uploads of the home page; they outlive it. */
let hasBegun = false

/** Loads with the first file: typing does not need it. */
export async function loadShares() {
  const words = Promise.all([loadWords('files'), loadWords('later')])
  const {
    addRefusedFiles,
    addShares,
    canStartAgain,
    findSizeProblem,
    HomeFilesList,
    plainPlace,
    readMaxUploadBytes,
    startSharesAgain,
    uploads,
  } = await import('./home-shares.ts')
  await words
  return {
    addRefusedFiles,
    addShares,
    canStartAgain,
    findSizeProblem,
    HomeFilesList,
    plainPlace,
    readMaxUploadBytes,
    startSharesAgain,
    uploads,
  }
}

interface HomeFilesInput {
  readonly options: ShareOptions
  readonly onRefuse: () => void
}

/** A text file that is dropped into the editor becomes its text. */
function isForEditor({ target, dataTransfer }: DragEvent): boolean {
  const [item, ...others] = dataTransfer?.items ?? []
  const isInside = target instanceof Element && target.closest('.dl-editor-pane') !== null
  return isInside && others.length === 0 && item !== undefined && isText(item.getAsFile())
}

const isText = (file: File | null) =>
  file !== null && (file.type.startsWith('text/') || /\.(?:md|markdown|txt)$/i.test(file.name))

/** Files that are dropped or pasted anywhere on the home page become shares. The text stays as it is. */
export function useHomeFiles({ options, onRefuse }: HomeFilesInput) {
  const { t } = useT()
  const session = useSession()
  const mayUpload = can(session, 'file')
  const [isShown, setShown] = useState(hasBegun)

  const readPlace = async () => {
    const { plainPlace } = await loadShares()
    const { password, expiryHours: expiresInHours } = options
    const { options: plain, providerType } = await plainPlace()
    const chosen = {
      ...plain,
      password,
      expiresInHours,
      maxViews: parseMaxViews(options.maxViews) ?? 0,
      opening: openingOf(options),
      pin: options.pin,
    }
    return { chosen, providerType }
  }
  const share = async (picked: readonly PickedFile[]) => {
    const { addRefusedFiles, addShares, findSizeProblem, readMaxUploadBytes } = await loadShares()
    const [{ chosen, providerType }, maxUploadBytes] = await Promise.all([readPlace(), readMaxUploadBytes()])
    const judged = picked.map(({ file, handle = null }) => ({
      one: { file, handle, number: null },
      problem: findSizeProblem(file.size, { maxUploadBytes, providerType }),
    }))
    const fitting = judged.flatMap(({ one, problem }) => (problem ? [] : [one]))
    if (fitting.length > 0) addShares(fitting, chosen, 'home')
    addRefusedFiles(
      judged.flatMap(({ one: { file }, problem }) =>
        problem ? [{ name: file.name, sizeBytes: file.size, problem }] : [],
      ),
    )
    hasBegun = true
    setShown(true)
  }
  const take = async (data: DataTransfer, isPaste: boolean) => {
    const { files, emptyFolders } = await pickFromDrop(data, { readsFolders: false })
    if (!mayUpload) {
      await loadWords('editor')
      notify('error', t('editor.upload.forbidden'))
      return
    }
    if (!areOptionsValid({ ...options, slug: '' })) {
      onRefuse()
      return
    }
    await loadWords('files')
    for (const folder of emptyFolders)
      notify('error', t('files.upload.isFolder', { name: folder.replace(/\/$/, '') }))
    const prefix = t('files.upload.pastedName')
    if (files.length > 0)
      await share(files.map((one) => (isPaste ? { ...one, file: nameScreenshot(one.file, prefix) } : one)))
  }
  const tell = (error: unknown) => notify('error', errorText(error))
  const isOver = useFileIntake((data, isPaste) => void take(data, isPaste).catch(tell), isForEditor)
  const retry = async (entry: UploadEntry) => {
    const { canStartAgain, startSharesAgain, uploads } = await loadShares()
    if (canStartAgain(entry)) startSharesAgain([entry], (await readPlace()).chosen)
    else uploads.retry([entry.key])
  }
  return {
    isOver: isOver && mayUpload,
    isShown,
    retry: (entry: UploadEntry) => void retry(entry).catch(tell),
  }
}
