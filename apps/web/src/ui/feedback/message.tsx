import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './message.module.css'

interface PageMessageProps {
  icon: ReactNode
  title: string
  text?: string
  /** Heading level; 2 below a page title. */
  level?: 1 | 2
  /** Buttons below the text. */
  children?: ReactNode
}

/** A message that fills a page without other content, with next steps. */
export function PageMessage({ icon, title, text, level = 1, children }: PageMessageProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output cannot contain headings
    <div className={styles.page} role="status">
      <span className={styles.icon}>{icon}</span>
      <Heading className={styles.title}>{title}</Heading>
      {text && <p className={styles.text}>{text}</p>}
      {children && <span className={styles.actions}>{children}</span>}
    </div>
  )
}

export type BannerTone = 'error' | 'warning' | 'info' | 'success'

/** Icons of the tones, for users who cannot distinguish the colours. */
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

/** A line above the content that it refers to. Errors are announced at once. */
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
