import { FS_TEXT_MAX_LENGTH, type FsEntry } from '@dropleaf/contract'
import { ActionIcon, Button } from '@mantine/core'
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconPencil } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { hasCode } from '../../../../lib/api-error.ts'
import { type FileKind, findFileKind } from '../../../../domains/preview/kinds/file-kind.ts'
import { formatNumber } from '../../../../lib/format.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { keyMap } from '../../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../../lib/keyboard/keys.ts'
import { useKeptFocus } from '../../../../ui/focus/focus-restore.ts'
import { useShownKind } from '../../../../domains/preview/kinds/shown-kind.ts'
import { DisplayName } from '../../../../ui/layout/display-name.tsx'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { ToolButton } from '../../../../ui/buttons/tool-button.tsx'
import { fsQueries, invalidateListing } from '../../api/fs.queries.ts'
import type { Command } from '../../models/commands.ts'
import type { Entry } from '../../models/entries.ts'
import { neighboursOf, nextToPlay } from '../../models/neighbours.ts'
import { useSettings } from '../../models/settings.ts'
import { sizeText, timeText } from '../items/entry-facts.ts'
import { EntryIcon } from '../items/entry-icon.tsx'
import { useFolderScreen } from '../explorer-context.ts'
import { COMMAND_ICONS } from '../items/item-menu.tsx'
import { PreviewBody, sourceOf } from './preview-body.tsx'
import styles from './preview.module.css'
import { useSwipe } from './use-swipe.ts'

const TextFileEditor = lazy(async () => {
  const { TextFileEditor: Editor } = await import('./text-file-editor.tsx')
  return { default: Editor }
})

interface PreviewProps {
  name: string
  onClose: () => void
}

/** The file that is shown, and those beside it. */
function useNeighbours(name: string, isEditing: boolean) {
  const { path, entries, all, address, select } = useFolderScreen()
  const files = useMemo(() => {
    const isShown = entries.some((entry) => entry.name === name)
    return neighboursOf(isShown ? entries : all, name)
  }, [entries, all, name])
  const index = files.findIndex((entry) => entry.name === name)
  const present = files[index]
  const [last, setLast] = useState(present)
  if (present && present !== last) setLast(present)
  // Until another one is shown, what can be done stays where the keyboard is.
  const entry = present ?? (last?.name === name ? last : undefined)
  // Back in the list, the keyboard is at what was looked at.
  const shownPath = present?.path
  const followShown = useEffectEvent((active: string) =>
    select((selection) => ({ ...selection, active, anchor: active })),
  )
  useEffect(() => {
    if (shownPath !== undefined) followShown(shownPath)
  }, [shownPath])
  const show = (neighbour: Entry | undefined) => {
    if (neighbour) address.showFile(neighbour.name, { replace: true })
  }
  useGone({
    name,
    index,
    files,
    isOff: isEditing,
    show,
    close: () => address.showFile(null, { replace: true }),
  })
  const before = index > 0 ? files[index - 1] : undefined
  const after = index === -1 ? undefined : files[index + 1]
  const played = nextToPlay(files, index)
  return {
    path: `${path}${name}`,
    entry,
    index,
    count: files.length,
    after,
    goBack: before ? () => show(before) : null,
    goOn: after ? () => show(after) : null,
    playOn: played ? () => show(played) : null,
  }
}

const BELIEVED_GONE_MS = 400

interface Gone {
  name: string
  index: number
  files: readonly Entry[]
  /** What is being edited stays, whatever becomes of the file. */
  isOff: boolean
  show: (entry: Entry) => void
  close: () => void
}

/** A file that disappears while it is shown, by a deletion for example, is replaced by the next one. */
function useGone(gone: Gone) {
  const seen = useRef<{ name: string; index: number } | null>(null)
  useEffect(() => {
    const { name, index, files, isOff, show, close } = gone
    if (isOff) return undefined
    const before = seen.current
    if (index !== -1) seen.current = { name, index }
    if (index !== -1 || before?.name !== name) return undefined
    // The address follows a rename a moment after the list: what has another name then is not gone.
    const believed = setTimeout(() => {
      seen.current = null
      const next = files[Math.min(before.index, files.length - 1)]
      if (next) show(next)
      else close()
    }, BELIEVED_GONE_MS)
    return () => clearTimeout(believed)
  })
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

/** The page below does not move, and the focus comes back to it. */
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
      // The list knows which of its entries has the keyboard; an empty folder has no list.
      const back =
        isOther && opener.isConnected ? opener : (grid ?? document.querySelector<HTMLElement>('main'))
      back?.focus({ preventScroll: true })
    }
  }, [])
  return cover
}

/** A file of the folder, over the list, with the next and the one before a key or a swipe away. */
export function Preview({ name, onClose }: PreviewProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const { path, entry, index, count, after, goBack, goOn, playOn } = useNeighbours(name, isEditing)
  const [displayName, setShownName] = useState(name)
  if (displayName !== name) {
    setShownName(name)
    setEditing(false)
  }
  const { playsOn } = useSettings()
  const [isPlaying, setPlaying] = useState(false)
  const playing = {
    isStarted: isPlaying,
    onPlaying: setPlaying,
    onEnded: () => {
      if (playsOn && playOn) playOn()
      else setPlaying(false)
    },
  }
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
  useEffect(() => {
    if (after) void queryClient.prefetchQuery(fsQueries.entry(`${folder}${after.name}`, after.etag))
  }, [queryClient, folder, after])
  useEffect(() => {
    if (!isMissing) return undefined
    // The list that led here is old; while one reads that, it stays as it is.
    return () => void invalidateListing(queryClient, folder)
  }, [queryClient, folder, isMissing])
  return (
    <div
      ref={cover}
      className={styles.cover}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a modal one would cover the menus and notices that belong to it
      role="dialog"
      aria-label={name}
      // It has the focus while nothing in it has.
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
            // Updates of the list below do not affect text being typed.
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
  /** The list has it still, but it has gone. */
  readonly isMissing: boolean
}

/**
 * What would not come back as it was is not edited; nor what is more than {@link FS_TEXT_MAX_LENGTH}, which is not saved. Of a text
 * that has gone the editor has what was typed into it.
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

interface Place {
  readonly index: number
  readonly count: number
}

function usePlaceText(place: Place | null): string {
  const { t, language } = useT()
  if (place === null) return ''
  return t('explorer.preview.position', {
    number: formatNumber(place.index + 1, language),
    count: formatNumber(place.count, language),
  })
}

/** Which file has come after a step: the keyboard stays where it is. The first one is what the dialog is called. */
function SpokenStep({ name, place }: { name: string; place: Place | null }) {
  const { t } = useT()
  const [first, setFirst] = useState<string | null>(name)
  if (first !== null && first !== name) setFirst(null)
  const said = [name, usePlaceText(place)].filter(Boolean).join(t('common.separator'))
  return <output className="dl-sr">{first === null && said}</output>
}

interface PreviewBarProps {
  name: string
  entry: Entry | undefined
  /** Nothing else can be done with it then. */
  isEditing: boolean
  place: Place | null
  onClose: () => void
  onEdit: (() => void) | null
}

const IN_BAR: ReadonlySet<Command> = new Set(['download', 'link', 'share', 'rename', 'delete'])

function PreviewBar({ name, entry, isEditing, place, onClose, onEdit }: PreviewBarProps) {
  const { t, language } = useT()
  const { commandsOf, run } = useFolderScreen()
  const facts = entry ? [sizeText(entry, language), timeText(entry, language)].filter(Boolean) : []
  const placeText = usePlaceText(place)
  return (
    <header className={styles.bar}>
      <ToolButton
        label={t('explorer.preview.close')}
        icon={<IconArrowLeft size={20} aria-hidden />}
        onClick={onClose}
      />
      {entry ? <EntryIcon entry={entry} /> : <span className={styles.noIcon} />}
      <div className={styles.title}>
        <h2>
          <DisplayName name={name} />
        </h2>
        <p className={styles.facts}>
          <span>{facts.join(' · ')}</span>
          {placeText && (
            <span className={styles.place}>
              {facts.length > 0 && <>&nbsp;·&nbsp;</>}
              {placeText}
            </span>
          )}
        </p>
      </div>
      {!isEditing && (
        <div className={styles.tools} role="toolbar" aria-label={t('explorer.actionsOf', { name })}>
          {onEdit && (
            <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={onEdit}>
              {t('explorer.edit.open')}
            </Button>
          )}
          {entry &&
            commandsOf([entry])
              .filter((command) => IN_BAR.has(command))
              .map((command) => {
                const Icon = COMMAND_ICONS[command]
                return (
                  <ToolButton
                    key={command}
                    label={t(`explorer.command.${command}`)}
                    icon={<Icon size={20} aria-hidden />}
                    isDangerous={command === 'delete'}
                    onClick={() => run(command, [entry])}
                  />
                )
              })}
        </div>
      )}
    </header>
  )
}
