import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './message.module.css'

interface PageMessageProps {
  icon: ReactNode
  title: string
  text?: string
  /** Of its heading: 2 below a title that stays. */
  level?: 1 | 2
  /** What to do next, as buttons. */
  children?: ReactNode
}

/** Fills a page that has nothing else to show, and says what to do next. */
export function PageMessage({ icon, title, text, level = 1, children }: PageMessageProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output has no headings in it
    <div className={styles.page} role="status">
      <span className={styles.icon}>{icon}</span>
      <Heading className={styles.title}>{title}</Heading>
      {text && <p className={styles.text}>{text}</p>}
      {children && <span className={styles.actions}>{children}</span>}
    </div>
  )
}

export type BannerTone = 'error' | 'warning' | 'info' | 'success'

/** Whoever does not see the colour sees the sign. */
const SIGNS = {
  error: IconAlertCircle,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
  success: IconCircleCheck,
} as const satisfies Readonly<Record<BannerTone, unknown>>

interface BannerProps {
  tone: BannerTone
  children: ReactNode
  /** Buttons at the end of the line. */
  actions?: ReactNode
}

/** One line above what it is about. Errors are spoken at once. */
export function Banner({ tone, children, actions }: BannerProps) {
  const Icon = SIGNS[tone]
  return (
    <div className={styles.banner} data-tone={tone} role={tone === 'error' ? 'alert' : undefined}>
      <Icon size={20} aria-hidden />
      <div className={styles.bannerText}>{children}</div>
      {actions && <div className={styles.bannerActions}>{actions}</div>}
    </div>
  )
}
