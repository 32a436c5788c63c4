import { ActionIcon } from '@mantine/core'
import { IconBrandGit, IconMenu2, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import {
  type ComponentType,
  type FocusEvent,
  lazy,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { systemQueries } from '../../domains/api/system-queries.ts'
import { loadWords } from '../../i18n/i18n.ts'
import { useT } from '../../i18n/use-translation.ts'
import { isQueueMarked, subscribeQueueMark } from '../../domains/offline/queue/queue-mark.ts'
import { useSession } from '../../domains/session/session.ts'
import { useLocalJobs } from '../../domains/transfers/tasks/local-jobs.ts'
import { Leaf } from '../../ui/layout/logo.tsx'
import { LanguageControl } from './language-control.tsx'
import { sections } from './navigation.ts'
import { pageIsIdle } from './page-idle.ts'
import { PaletteButton } from './palette-button.tsx'
import { ThemeButton } from './theme-button.tsx'

/**
 * State of the menu. The menu closes on an outside tap, when the focus leaves it, on Esc and on navigation. Because the
 * menu covers the page, opening the menu focuses the link of the current page, or the first link. Esc and a chosen link
 * focus the menu button.
 */
function useMenu() {
  const address = useRouterState({ select: (state) => state.location.href })
  const [openAt, setOpenAt] = useState<string | null>(null)
  const header = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const links = useRef<HTMLElement>(null)
  const isOpen = openAt === address
  useEffect(() => {
    if (!isOpen) return undefined
    const first =
      links.current?.querySelector<HTMLElement>('a[aria-current]') ?? links.current?.querySelector('a')
    first?.focus()
    const onPointer = (event: PointerEvent) => {
      if (!header.current?.contains(event.target as Node)) setOpenAt(null)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpenAt(null)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [isOpen])
  const toggle = () => setOpenAt(isOpen ? null : address)
  const onChosen = () => {
    if (!isOpen) return
    setOpenAt(null)
    button.current?.focus()
  }
  const onBlur = ({ relatedTarget: next }: FocusEvent) => {
    const isHere = next === null || next === button.current || links.current?.contains(next)
    if (!isHere) setOpenAt(null)
  }
  return { isOpen, toggle, onChosen, onBlur, header, button, links }
}

export function Header({ onPalette }: { onPalette: () => void }) {
  const { t } = useT()
  const { isOpen, toggle, onChosen, onBlur, header, button, links } = useMenu()
  return (
    <header className="dl-header" ref={header} onBlur={onBlur}>
      <div className="dl-header-in">
        <Link className="dl-brand" to="/">
          <Leaf />
          Dropleaf
        </Link>
        <nav
          ref={links}
          className="dl-nav"
          id="main-navigation"
          aria-label={t('shell.navigation')}
          data-open={isOpen || undefined}
        >
          {sections.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              // Clears the current folder, which the router would otherwise keep in the link.
              params={{ _splat: '' }}
              activeOptions={{ exact: to === '/' }}
              onClick={onChosen}
            >
              {t(label)}
            </Link>
          ))}
        </nav>
        <div className="dl-tools">
          <PaletteButton onOpen={onPalette} />
          <SourceLink />
          <LanguageControl />
          <ThemeButton />
          <QueueSlot />
          <TasksSlot />
          <div className="dl-menu-button">
            <ActionIcon
              ref={button}
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('shell.menu')}
              aria-expanded={isOpen}
              aria-controls="main-navigation"
              onClick={toggle}
            >
              {isOpen ? <IconX size={20} aria-hidden /> : <IconMenu2 size={20} aria-hidden />}
            </ActionIcon>
          </div>
        </div>
      </div>
    </header>
  )
}

const TaskTray = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    await pageIsIdle()
    await loadWords('later')
    return { default: (await import('../../features/tasks/components/task-tray.tsx')).TaskTray }
  } catch {
    // The chunk may be missing while the app is offline. The page works without this component.
    return { default: () => null }
  }
})

const QueueChip = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    await loadWords('queue')
    return { default: (await import('../../features/sync/components/queue-chip.tsx')).QueueChip }
  } catch {
    return { default: () => null }
  }
})

/** Shows the chip that syncs pending changes. Renders nothing until there may be pending changes. */
function QueueSlot() {
  const isMarked = useSyncExternalStore(subscribeQueueMark, isQueueMarked)
  const [wasMarked, setWasMarked] = useState(isMarked)
  // The chip stays when the queue is empty, to report the result of the last change.
  if (isMarked && !wasMarked) setWasMarked(true)
  if (!wasMarked) return null
  return (
    <span className="dl-queue">
      <Suspense fallback={null}>
        <QueueChip />
      </Suspense>
    </span>
  )
}

/** The task tray; loads after the page. People who are not logged in see it once they download something. */
function TasksSlot() {
  const session = useSession()
  const jobs = useLocalJobs()
  if (session.kind === 'none' && jobs.length === 0) return null
  return (
    <Suspense fallback={<span className="dl-tool-space" />}>
      <TaskTray />
    </Suspense>
  )
}

function SourceLink() {
  const { t } = useT()
  const { data } = useQuery(systemQueries.version())
  const url = data?.data.sourceUrl
  if (!url || !/^https?:\/\//.test(url)) return null
  return (
    <ActionIcon
      component="a"
      className="dl-source"
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t('shell.source')}
      title={t('shell.source')}
    >
      <IconBrandGit size={20} aria-hidden />
    </ActionIcon>
  )
}
