import { IconChevronRight, type IconProps } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import styles from './link-cards.module.css'

export interface LinkCard {
  readonly key: string
  readonly Icon: ComponentType<IconProps>
  readonly link: LinkProps
  readonly title: string
  readonly text: string
}

/** Links to further pages. */
export function LinkCards({ cards }: { cards: readonly LinkCard[] }) {
  return (
    <ul className={styles.cards}>
      {cards.map(({ key, Icon, link, title, text }) => (
        <li key={key}>
          <Link {...link} className={styles.card}>
            <Icon size={20} aria-hidden />
            <span className={styles.words}>
              <span className={styles.title}>{title}</span>
              <span className={styles.text}>{text}</span>
            </span>
            <IconChevronRight size={18} aria-hidden className={styles.chevron} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
