import { FS_TEXT_MAX_LENGTH, type FsEntry } from '@dropleaf/contract'
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { hasCode } from '../../../../lib/api-error.ts'
import { type FileKind, findFileKind } from '../../../../domains/preview/kinds/file-kind.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { keyMap } from '../../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../../lib/keyboard/keys.ts'
import { useKeptFocus } from '../../../../ui/focus/focus-restore.ts'
import { useShownKind } from '../../../../domains/preview/kinds/shown-kind.ts'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { fsQueries, invalidateListing } from '../../api/fs.queries.ts'
import type { Entry } from '../../models/entries.ts'
import { useSettings } from '../../models/settings.ts'
import { useFolderScreen } from '../explorer-context.ts'
import { PreviewBar, SpokenStep } from './preview-bar.tsx'
import { PreviewBody, sourceOf } from './preview-body.tsx'
import styles from './preview.module.css'
import { useNeighbours } from './use-neighbours.ts'
import { useSwipe } from './use-swipe.ts'

const TextFileEditor = lazy(async () => {
  const { TextFileEditor: Editor } = await import('./text-file-editor.tsx')
  return { default: Editor }
})

interface PreviewProps {
  name: string
  onClose: () => void
}

const isBusyWithKeys = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, video, audio, [contenteditable="true"], [role="menu"]') !== null

interface PreviewKeys {
  goBack: (() => void) | null
  goOn: (() => void) | null
  onClose: () => void
  isOff: boolean
}

function usePreviewKeys(keys: PreviewKeys) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { goBack, goOn, onClose, isOff } = latest.current
      const isElsewhere = document.querySelector('dialog[open], [role="menu"]') !== null
      if (isOff || isElsewhere || event.defaultPrevented) return
      if (isKey(event, keyMap.preview.close)) onClose()
      if (isBusyWithKeys(event.target)) return
      if (isKey(event, keyMap.preview.before)) goBack?.()
      if (isKey(event, keyMap.preview.after)) goOn?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Locks the scroll position of the page, and restores the focus when the preview closes. */
function useCover() {
  const cover = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    const { style } = document.documentElement
    const before = style.overflowY
    style.overflowY = 'hidden'
    cover.current?.focus({ preventScroll: true })
    return () => {
      style.overflowY = before
      const grid = document.querySelector<HTMLElement>('[role="grid"]')
      const isOther =
        opener instanceof HTMLElement && opener !== document.body && opener.closest('[role="grid"]') === null
      // The list restores its active entry itself. An empty folder has no list, so `main` gets the focus.
      const back =
        isOther && opener.isConnected ? opener : (grid ?? document.querySelector<HTMLElement>('main'))
      back?.focus({ preventScroll: true })
    }
  }, [])
  return cover
}

/** Playback state that is kept from one file to the next. */
function usePlayback(playOn: (() => void) | null) {
  const { playsOn } = useSettings()
  const [isStarted, setStarted] = useState(false)
  return {
    isStarted,
    onPlaying: setStarted,
    onEnded: () => {
      if (playsOn && playOn) playOn()
      else setStarted(false)
    },
  }
}

/** Prefetches the details of the next file. */
function usePrefetch(folder: string, after: Entry | undefined) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (after) void queryClient.prefetchQuery(fsQueries.entry(`${folder}${after.name}`, after.etag))
  }, [queryClient, folder, after])
}

/** Refreshes the listing when a listed file is missing, but only after the notice is closed. */
function useStaleListing(folder: string, isMissing: boolean) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isMissing) return undefined
    return () => void invalidateListing(queryClient, folder)
  }, [queryClient, folder, isMissing])
}

/** Shows a file above the list of its folder. Keys and swipes lead to the neighbours. */
export function Preview({ name, onClose }: PreviewProps) {
  const { t } = useT()
  const [isEditing, setEditing] = useState(false)
  const { path, entry, index, count, after, goBack, goOn, playOn } = useNeighbours(name, isEditing)
  const [displayName, setShownName] = useState(name)
  if (displayName !== name) {
    setShownName(name)
    setEditing(false)
  }
  const playing = usePlayback(playOn)
  const info = useQuery(fsQueries.entry(path, entry?.etag ?? ''))
  const isMissing = hasCode(info.error, 'fs.not_found')
  const isEditable = useIsEditable(name, {
    file: info.data?.data,
    listedBytes: entry?.sizeBytes ?? null,
    isMissing,
  })
  const cover = useCover()
  useKeptFocus(cover)
  usePreviewKeys({ goBack, goOn, onClose, isOff: isEditing })
  const swipe = useSwipe({ onLeft: goOn, onRight: goBack, isOff: isEditing })
  const { path: folder, canWrite, address } = useFolderScreen()
  usePrefetch(folder, after)
  useStaleListing(folder, isMissing)
  return (
    <div
      ref={cover}
      className={styles.cover}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a modal one would cover its own menus and notices
      role="dialog"
      aria-label={name}
      // Focusable, so that it has the focus while no element inside has it.
      tabIndex={-1}
      {...swipe}
    >
      <SpokenStep name={name} place={index === -1 ? null : { index, count }} />
      <PreviewBar
        name={name}
        entry={entry}
        isEditing={isEditing}
        place={index === -1 ? null : { index, count }}
        onClose={onClose}
        onEdit={canWrite && entry && isEditable ? () => setEditing(true) : null}
      />
      <div className={styles.stage}>
        {!isEditing && (
          <StepButton label={t('explorer.preview.before')} side="left" onClick={goBack}>
            <IconChevronLeft size={24} aria-hidden />
          </StepButton>
        )}
        <div className={styles.content} key={path}>
          {isEditing ? (
            // Independent of the listing, because a change of the listing must not reset what the user is typing.
            <Suspense fallback={<SkeletonLines label={t('common.loading')} />}>
              <TextFileEditor path={path} onEnd={() => setEditing(false)} />
            </Suspense>
          ) : (
            <PreviewBody
              info={info}
              playing={playing}
              onClose={onClose}
              onOpenFolder={() => address.openFolder(`${path}/`, { replace: true })}
            />
          )}
        </div>
        {!isEditing && (
          <StepButton label={t('explorer.preview.after')} side="right" onClick={goOn}>
            <IconChevronRight size={24} aria-hidden />
          </StepButton>
        )}
      </div>
    </div>
  )
}

const EDITABLE: ReadonlySet<FileKind> = new Set(['text', 'code', 'markdown', 'html'])

interface Editing {
  readonly file: FsEntry | undefined
  readonly listedBytes: number | null
  /** Whether the file is deleted but still listed. */
  readonly isMissing: boolean
}

/**
 * Whether the editor can open the file. It opens only texts that can be saved without loss, up to {@link
 * FS_TEXT_MAX_LENGTH}. For a deleted text, it shows the unsaved changes.
 */
function useIsEditable(name: string, { file, listedBytes, isMissing }: Editing): boolean {
  const kind = findFileKind({ mimetype: file?.contentType ?? '', filename: name })
  const shown = useShownKind(file ? sourceOf(file) : null, kind)
  if (!isMissing && !shown?.isExact) return false
  return EDITABLE.has(shown?.kind ?? kind) && (file?.size ?? listedBytes ?? 0) <= FS_TEXT_MAX_LENGTH
}

interface StepButtonProps {
  label: string
  side: 'left' | 'right'
  onClick: (() => void) | null
  children: React.ReactNode
}

function StepButton({ label, side, onClick, children }: StepButtonProps) {
  return (
    <ActionIcon
      className={styles.step}
      data-side={side}
      variant="default"
      size={44}
      radius="xl"
      aria-label={label}
      title={label}
      disabled={onClick === null}
      onClick={() => onClick?.()}
    >
      {children}
    </ActionIcon>
  )
}
