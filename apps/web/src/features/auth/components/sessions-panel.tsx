import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { focusItem, useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import {
  type AdminSession,
  endOneSession,
  endOtherSessions,
  sessionQueries,
} from '../api/sessions.queries.ts'
import styles from './sessions-panel.module.css'

/** Lists the administrator's sessions, with buttons that end them. */
export function SessionsPanel() {
  const { t } = useT()
  const sessions = useQuery(sessionQueries.all())
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  const others = sessions.data?.filter((session) => !session.is_current) ?? []
  return (
    <section ref={section} className={formStyles.panel} aria-labelledby="sessions" tabIndex={-1}>
      <h2 className={formStyles.subtitle} id="sessions">
        {t('sessions.title')}
      </h2>
      <p className={formStyles.text}>{t('sessions.text')}</p>
      {sessions.isError && <FailedBanner error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <SkeletonLines label={t('table.loading')} widths={['70%', '45%']} />}
      {sessions.data && (
        <ul className={styles.list}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {others.length > 0 && <EndOthers count={others.length} />}
    </section>
  )
}

const PHONES = new Set(['iOS', 'iPadOS', 'Android', 'HarmonyOS'])
const PROGRAMS = new Set(['curl', 'Wget', 'Python', 'Node.js'])

function DeviceIcon({ session: { browser, system } }: { session: AdminSession }) {
  if (browser !== null && PROGRAMS.has(browser)) return <IconTerminal2 size={24} aria-hidden />
  if (system !== null && PHONES.has(system)) return <IconDeviceMobile size={24} aria-hidden />
  return <IconDeviceDesktop size={24} aria-hidden />
}

function useDeviceName() {
  const { t } = useT()
  return ({ browser, system }: AdminSession): string => {
    if (browser !== null && system !== null) return t('sessions.browserOn', { browser, system })
    return browser ?? system ?? t('sessions.unknownDevice')
  }
}

function SessionRow({ session }: { session: AdminSession }) {
  const { t, language } = useT()
  const queryClient = useQueryClient()
  const nameOf = useDeviceName()
  const ending = useMutation({
    mutationFn: () => endOneSession(session.id),
    onSuccess: () => notify('success', t('sessions.ended')),
    onError: (error) => notify('error', errorText(error)),
    // Refreshes the list after an error too, because the session might have ended already.
    onSettled: () => queryClient.invalidateQueries(sessionQueries.all()),
  })
  const name = nameOf(session)
  const time = formatDateTime(session.created_at, language)
  return (
    <li className={styles.session} {...focusItem(session.id)}>
      <span className={styles.icon}>
        <DeviceIcon session={session} />
      </span>
      <div className={styles.about}>
        <p className={styles.name}>
          {name}
          {session.is_current && <span className={styles.current}>{t('sessions.current')}</span>}
        </p>
        <p className={styles.fact}>
          <time dateTime={session.last_used_at} title={formatDateTime(session.last_used_at, language)}>
            {t('sessions.lastUsed', { when: formatRelative(session.last_used_at, language) })}
          </time>
          {session.address !== null && <span className={styles.address}>{session.address}</span>}
        </p>
        <p className={styles.fact}>
          <time dateTime={session.created_at}>{t('sessions.since', { time })}</time>
        </p>
      </div>
      {!session.is_current && (
        <Button
          size="compact-md"
          variant="default"
          aria-label={t('sessions.endOf', { name, time })}
          loading={ending.isPending}
          onClick={() => ending.mutate()}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}

function EndOthers({ count }: { count: number }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const ending = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: (ended) => notify('success', t('sessions.othersEnded', { count: ended })),
    onError: (error) => notify('error', errorText(error)),
    onSettled: async () => {
      setAsking(false)
      await queryClient.invalidateQueries(sessionQueries.all())
    },
  })
  return (
    <div className={formStyles.row}>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('sessions.endOthers')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('sessions.endOthersTitle', { count })}
          cancelLabel={t('common.cancel')}
          confirmLabel={t('sessions.endOthers')}
          isDangerous
          isBusy={ending.isPending}
          onCancel={() => setAsking(false)}
          onConfirm={() => ending.mutate()}
        >
          <p className={formStyles.text}>{t('sessions.endOthersText')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
