import { useState } from 'react'
import { errorText } from '../../../../i18n/error-text.ts'
import { loadWords } from '../../../../i18n/i18n.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { notify } from '../../../../lib/notices.ts'
import {
  addHomePicks,
  getHomePicks,
  removeHomePicks,
  useHomeBundles,
  useHomePicks,
} from '../../../../domains/bundles/home-bundles.ts'
import { type LinkChoice, readLinkChoice, storeLinkChoice } from '../../../../domains/bundles/link-choice.ts'
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

/** Whether the home page got files in this tab. Their uploads continue when the user leaves the page. */
let hasBegun = false

/** This code is loaded with the first file, because typing does not need it. */
export async function loadShares() {
  const words = Promise.all([loadWords('files'), loadWords('later')])
  const shares = await import('./home-shares.ts')
  await words
  const { addRefusedFiles, addShares, canStartAgain, findSizeProblem, HomeFilesList, plainPlace } = shares
  const { itemPathOf, readMaxUploadBytes, startSharesAgain, suggestItemPaths, uploads } = shares
  return {
    addRefusedFiles,
    addShares,
    canStartAgain,
    findSizeProblem,
    HomeFilesList,
    itemPathOf,
    plainPlace,
    readMaxUploadBytes,
    startSharesAgain,
    suggestItemPaths,
    uploads,
  }
}

interface HomeFilesInput {
  readonly options: ShareOptions
  readonly mayPublish: boolean
  readonly isSealed: boolean
  /** Returns whether to encrypt the share; see `useSealing`. */
  readonly settleSealing: () => Promise<boolean>
  readonly onRefuse: () => void
}

/** Whether the editor itself accepts the drop. The text of a single text file then becomes the text of the editor. */
function isForEditor({ target, dataTransfer }: DragEvent): boolean {
  const [item, ...others] = dataTransfer?.items ?? []
  const isInside = target instanceof Element && target.closest('.dl-editor-pane') !== null
  return isInside && others.length === 0 && item !== undefined && isText(item.getAsFile())
}

const isText = (file: File | null) =>
  file !== null && (file.type.startsWith('text/') || /\.(?:md|markdown|txt)$/i.test(file.name))

/** Lists files as refused if they exceed the limit of the settings or of the storage. Returns the other files. */
async function withoutTooLarge(picked: readonly PickedFile[]): Promise<readonly PickedFile[]> {
  const { addRefusedFiles, findSizeProblem, plainPlace, readMaxUploadBytes } = await loadShares()
  const [{ providerType }, maxUploadBytes] = await Promise.all([plainPlace(), readMaxUploadBytes()])
  const problemOf = ({ file }: PickedFile) => findSizeProblem(file.size, { maxUploadBytes, providerType })
  addRefusedFiles(
    picked.flatMap((one) => {
      const problem = problemOf(one)
      return problem ? [{ name: one.file.name, sizeBytes: one.file.size, problem }] : []
    }),
  )
  return picked.filter((one) => problemOf(one) === null)
}

/** Adds files that wait until the text is shared. Names that are invalid in a bundle are changed at once. */
async function keep(all: readonly PickedFile[]): Promise<void> {
  const { itemPathOf, suggestItemPaths } = await loadShares()
  const picked = await withoutTooLarge(all)
  const present = getHomePicks().map(({ path }) => path)
  const added = picked.map(({ file, folder }) => itemPathOf({ folder, name: file.name }))
  const suggested = suggestItemPaths([...present, ...added])
  addHomePicks(
    picked.map((one, index) => ({
      picked: one,
      path: suggested.get(present.length + index) ?? added[index] ?? one.file.name,
    })),
  )
}

/** Returns functions that give files separate links. */
function useOwnLinks(options: ShareOptions) {
  const readOptions = async () => {
    const { plainPlace } = await loadShares()
    const { password, expiryHours: expiresInHours } = options
    const { options: plain } = await plainPlace()
    return {
      ...plain,
      password,
      expiresInHours,
      maxViews: parseMaxViews(options.maxViews) ?? 0,
      opening: openingOf(options),
      pin: options.pin,
    }
  }
  const share = async (picked: readonly PickedFile[]) => {
    const { addShares } = await loadShares()
    const fitting = await withoutTooLarge(picked)
    if (fitting.length === 0) return
    const list = fitting.map(({ file, handle = null }) => ({ file, handle, number: null }))
    addShares(list, await readOptions(), 'home')
  }
  const retry = async (entry: UploadEntry) => {
    const { canStartAgain, startSharesAgain, uploads } = await loadShares()
    if (canStartAgain(entry)) startSharesAgain([entry], await readOptions())
    else uploads.retry([entry.key])
  }
  return { share, retry }
}

const tell = (error: unknown) => notify('error', errorText(error))

/**
 * Accepts files that are dropped or pasted anywhere on the home page. These files wait for the text, or get separate
 * links. The text stays unchanged.
 */
export function useHomeFiles({ options, mayPublish, isSealed, settleSealing, onRefuse }: HomeFilesInput) {
  const { t } = useT()
  const session = useSession()
  const mayUpload = can(session, 'file')
  const [isShown, setShown] = useState(hasBegun)
  const { hasAny } = useHomeBundles()
  const hasPicks = useHomePicks().length > 0
  const [stored, setChoice] = useState(() => readLinkChoice('home'))
  // On this page, encrypted files always share the link of the text.
  const ownOrStored = isSealed ? 'one' : stored
  const choice = mayPublish ? ownOrStored : 'each'
  const { share, retry } = useOwnLinks(options)

  const add = async (picked: readonly PickedFile[]) => {
    if (choice === 'one') await keep(picked)
    else await share(picked)
    hasBegun = true
    setShown(true)
  }
  const take = async (data: DataTransfer, isPaste: boolean) => {
    const { files, emptyFolders } = await pickFromDrop(data, { readsFolders: choice === 'one' })
    if (!mayUpload) {
      await loadWords('editor')
      notify('error', t('editor.upload.forbidden'))
      return
    }
    if (choice === 'each' && !areOptionsValid({ ...options, slug: '' })) {
      onRefuse()
      return
    }
    // Files with separate links are not encrypted here, so nothing is sent if encryption is selected or required.
    if (choice === 'each' && (await settleSealing())) {
      await loadWords('later')
      notify('error', t('sealing.useUploadPage'))
      return
    }
    await loadWords('files')
    const refusal = choice === 'one' ? 'bundling.emptyFolder' : 'files.upload.isFolder'
    for (const folder of emptyFolders) notify('error', t(refusal, { name: folder.replace(/\/$/, '') }))
    const prefix = t('files.upload.pastedName')
    if (files.length > 0)
      await add(files.map((one) => (isPaste ? { ...one, file: nameScreenshot(one.file, prefix) } : one)))
  }
  const isOver = useFileIntake((data, isPaste) => void take(data, isPaste).catch(tell), isForEditor)

  const choose = (next: LinkChoice) => {
    storeLinkChoice('home', next)
    setChoice(next)
  }
  const moveOut = async () => {
    if (!areOptionsValid({ ...options, slug: '' })) {
      onRefuse()
      return
    }
    const picks = getHomePicks()
    await share(picks.map(({ picked }) => picked))
    removeHomePicks(picks.map(({ id }) => id))
  }
  return {
    isOver: isOver && mayUpload,
    isShown: isShown || hasAny || hasPicks,
    choice,
    choose,
    retry: (entry: UploadEntry) => void retry(entry).catch(tell),
    moveOut: () => void moveOut().catch(tell),
  }
}
