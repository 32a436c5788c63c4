import { ActionIcon } from '@mantine/core'
import { IconKey, IconLogout, IconMenu2, IconUserCog, IconX } from '@tabler/icons-react'
import { Link, Navigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { logout } from '../../features/auth/api/auth.api.ts'
import { LoginForm } from '../../features/auth/components/login-form.tsx'
import { PermissionText } from '../../features/auth/components/permission-text.tsx'
import { hrefOf } from '../../lib/browser/base-path.ts'
import { useT } from '../../i18n/use-translation.ts'
import { usePageTitle } from '../../lib/browser/page-title.ts'
import type { Prepare } from '../../lib/prepare.ts'
import { getSession, useSession } from '../../domains/session/session.ts'
import { type LoggedIn, personOf, type Session } from '../../domains/session/stored-session.ts'
import { useWork } from '../../domains/session/use-work.ts'
import { passFocusToPage } from '../../ui/focus/focus.ts'
import { openModal } from '../../ui/dialogs/open-modals.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { useLayer } from '../../ui/dialogs/use-layer.ts'
import { type AdminModule, adminModules, moduleLink, segmentOf } from '../admin-modules.ts'
import { noticeUnknownAddress } from '../unknown-address-notice.ts'
import { moduleParts, preparePart } from '../page-parts.ts'
import { paths, safeReturnPath } from '../../lib/paths.ts'
import styles from './admin.module.css'
import { ModuleCopy } from './module-copy.tsx'

const modulesFor = (session: Session) => adminModules.filter((module) => module.allows(session))

/** Returns the requested module if the session has permission for it, otherwise the first allowed module. */
const moduleAt = (allowed: readonly AdminModule[], segment: string): AdminModule | undefined =>
  allowed.find(({ id }) => segmentOf(id) === segment) ?? allowed[0]

/** Loads the module of a URL, and the module's first data. */
export const prepare: Prepare = async (client, address) => {
  const session = getSession()
  const { module: segment, bundle } = address.params
  const module = moduleAt(modulesFor(session), segment ?? (bundle === undefined ? '' : 'shares'))
  if (!module) return
  await Promise.all([module.Page.preload?.(), preparePart(moduleParts[module.id], client, address)])
}

/** Shows the login form to visitors, and the admin panel to others. */
export function AdminPage(): ReactNode {
  const session = useSession()
  if (session.kind === 'none') return <Login />
  return <Panel key={personOf(session)} session={session} />
}

function Login() {
  const { t } = useT()
  const router = useRouter()
  const { from } = useSearch({ strict: false })
  usePageTitle(t('auth.title'))
  useEffect(() => passFocusToPage, [])
  const go = (isFirstStart: boolean) => {
    const target = isFirstStart ? hrefOf(paths.welcome) : safeReturnPath(from)
    if (target) router.history.replace(target)
  }
  return <LoginForm onDone={go} />
}

function Panel({ session }: { session: LoggedIn }) {
  const { t } = useT()
  useWork()
  const wanted = useWantedSegment()
  const allowed = modulesFor(session)
  const module = moduleAt(allowed, wanted)
  const title = module && t('shell.titles.inAdmin', { module: t(`manage.modules.${module.id}`) })
  usePageTitle(title ?? t('shell.titles.admin'))
  const isKnown = wanted === '' || adminModules.some(({ id }) => id === wanted)
  useEffect(() => {
    if (!isKnown) noticeUnknownAddress(`/admin/${wanted}`)
  }, [isKnown, wanted])
  if (!module) return <Navigate to="/" replace />
  if (segmentOf(module.id) !== wanted) return <Navigate {...moduleLink(module.id)} replace />
  return (
    <div className={styles.panel}>
      <MenuBar module={module}>
        {(close) => <Menu session={session} modules={allowed} onChosen={close} />}
      </MenuBar>
      <aside className={styles.sidebar}>
        <Menu session={session} modules={allowed} />
      </aside>
      <section className={styles.module} aria-label={t(`manage.modules.${module.id}`)}>
        <ModuleCopy id={module.id} session={session}>
          <Suspense fallback={<SkeletonLines label={t('common.loading')} />}>
            <module.Page />
          </Suspense>
        </ModuleCopy>
      </section>
    </div>
  )
}

/** The URL segment after `/admin`. While the URL is outside the panel, during a navigation, the last known segment. */
function useWantedSegment(): string {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const asked =
    pathname === paths.welcome ? null : /^\/admin(?:\/([^/]+)(?:\/bundle\/[^/]+)?)?\/?$/.exec(pathname)
  const [last, setLast] = useState('')
  const segment = asked === null ? last : (asked[1] ?? '')
  if (segment !== last) setLast(segment)
  return segment
}

interface MenuProps {
  session: LoggedIn
  modules: readonly AdminModule[]
  onChosen?: () => void
}

function Menu({ session, modules, onChosen }: MenuProps) {
  const { t } = useT()
  const isAdmin = session.kind === 'admin'
  const Avatar = isAdmin ? IconUserCog : IconKey
  return (
    <>
      <div className={styles.identity}>
        <span className={styles.avatar}>
          <Avatar size={20} aria-hidden />
        </span>
        <div className={styles.who}>
          <p className={styles.name}>{isAdmin ? t('manage.administrator') : session.info.name}</p>
          {!isAdmin && (
            <p className={styles.may}>
              <PermissionText session={session} />
              {session.permissions.mount && ` · ${session.info.basic_path}`}
            </p>
          )}
        </div>
      </div>
      <nav className={styles.links} aria-label={t('manage.navigation')}>
        {modules.map(({ id, Icon }) => (
          <Link
            key={id}
            {...moduleLink(id)}
            activeOptions={{ exact: true, includeSearch: false }}
            className={styles.link}
            {...(onChosen && { onClick: onChosen })}
          >
            <Icon size={20} aria-hidden />
            {t(`manage.modules.${id}`)}
          </Link>
        ))}
      </nav>
      <button type="button" className={styles.link} onClick={() => void logout()}>
        <IconLogout size={20} aria-hidden />
        {t('common.logOut')}
      </button>
    </>
  )
}

interface MenuBarProps {
  module: AdminModule
  /** Renders the contents of the menu; call `close` when an entry is chosen. */
  children: (close: () => void) => ReactNode
}

/** Menu bar for narrow screens: the name of the module, and a drawer with the menu. */
function MenuBar({ module, children }: MenuBarProps) {
  const { t } = useT()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <div className={styles.bar}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('manage.openMenu')}
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      <span>{t(`manage.modules.${module.id}`)}</span>
      {isOpen && <Drawer onClose={close}>{children(close)}</Drawer>}
    </div>
  )
}

/** A drawer that closes on an outside click where supported, and always on Esc, a back step or its button. */
function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useT()
  useLayer(onClose)
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => (element.current ? openModal(element.current) : undefined), [])
  return (
    <dialog
      ref={element}
      className={styles.drawer}
      aria-label={t('manage.title')}
      onClose={onClose}
      closedby="any"
    >
      <div className={styles.drawerIn}>
        {children}
        <button type="button" className={styles.link} onClick={onClose}>
          <IconX size={20} aria-hidden />
          {t('manage.closeMenu')}
        </button>
      </div>
    </dialog>
  )
}
