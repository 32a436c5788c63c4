import { ActionIcon } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useSession } from '../../../domains/session/session.ts'
import { useLocalJobs } from '../../../domains/transfers/tasks/local-jobs.ts'
import { useServerTasks, watchTasks } from '../../../domains/transfers/tasks/server-tasks.ts'
import { useUploads } from '../../../domains/transfers/uploads/uploads.ts'
import { batchesOf, totalsOf, type TrayTotals } from '../tray-model.ts'
import { NameDialog } from './name-dialog.tsx'
import { TrayPanel } from './tray-panel.tsx'
import styles from './tray.module.css'
import { useDownloadNotices } from './use-download-notices.ts'
import { useTaskNotices } from './use-task-notices.ts'

const SIZE = 34
const RADIUS = 15
const LENGTH = 2 * Math.PI * RADIUS
const COUNT_MAX = 99

/** Restores uploads and bundles after a reload. The code is loaded on demand, because the tray is on every page. */
async function restore(): Promise<void> {
  const { restoreUploads } = await import('../../../domains/transfers/uploads/restore-uploads.ts')
  await restoreUploads()
  const { restoreBundles } = await import('../../../domains/bundles/bundle-drafts.ts')
  await restoreBundles()
  const { forgetSpools } = await import('../../../domains/sealed/saving/spool-cleanup.ts')
  await forgetSpools()
  const { restoreSealedBundles } = await import('../../../domains/sealed/sending/sealed-drafts.ts')
  await restoreSealedBundles()
}

/** The task tray: a button in the header, and its panel. */
export function TaskTray() {
  const { t, language } = useT()
  const isLoggedIn = useSession().kind !== 'none'
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const batches = batchesOf(useUploads())
  const tasks = useServerTasks()
  const jobs = useLocalJobs()
  const totals = totalsOf({ batches, tasks, jobs })
  const { activeCount, problemCount, pausedCount } = totals
  useEffect(() => {
    if (!isLoggedIn) return undefined
    restore().catch(reportError)
    return watchTasks()
  }, [isLoggedIn])
  useTaskNotices({ batches, tasks, isOpen, setOpen })
  useDownloadNotices({ jobs, isOpen, setOpen })
  const close = () => {
    setOpen(false)
    button.current?.focus({ preventScroll: true })
  }
  // This is a function, because number formats are slow to load and not always needed.
  const percent = () => formatPercent(totals.share, language)
  const label =
    activeCount > 0
      ? t('tasks.openBusy', { count: activeCount, percent: percent() })
      : problemCount > 0
        ? t('tasks.openProblem', { count: problemCount })
        : pausedCount > 0
          ? t('tasks.openPaused', { count: pausedCount })
          : t('tasks.open')
  return (
    <>
      <ActionIcon
        ref={button}
        className={styles.button}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        styles={{ root: { overflow: 'visible' } }}
        onClick={() => setOpen(!isOpen)}
      >
        <IconListCheck size={20} aria-hidden />
        {activeCount > 0 && <Ring share={totals.share} />}
        <Count {...totals} />
      </ActionIcon>
      {isOpen && <TrayPanel batches={batches} tasks={tasks} jobs={jobs} opener={button} onClose={close} />}
      <NameDialog />
    </>
  )
}

function Ring({ share }: { share: number }) {
  return (
    <svg className={styles.ring} width={SIZE} height={SIZE} aria-hidden>
      <circle className={styles.ringTrack} cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} />
      <circle
        className={styles.ringValue}
        cx={SIZE / 2}
        cy={SIZE / 2}
        r={RADIUS}
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - share)}
      />
    </svg>
  )
}

function Count({ activeCount, problemCount, pausedCount }: TrayTotals) {
  const tone = activeCount > 0 ? 'active' : problemCount > 0 ? 'problem' : 'paused'
  const count = { active: activeCount, problem: problemCount, paused: pausedCount }[tone]
  if (count === 0) return null
  return (
    <span className={styles.count} data-tone={tone} aria-hidden>
      {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
    </span>
  )
}
