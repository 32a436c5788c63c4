import { IconChevronRight, type IconProps } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import styles from './guide.module.css'

export interface NextLink {
  readonly key: string
  readonly Icon: ComponentType<IconProps>
  readonly link: LinkProps
  readonly title: string
  readonly text: string
}

/** Where to go from here. */
export function NextLinks({ links }: { links: readonly NextLink[] }) {
  return (
    <ul className={styles.links}>
      {links.map(({ key, Icon, link, title, text }) => (
        <li key={key}>
          <Link {...link} className={styles.link}>
            <Icon size={20} aria-hidden />
            <span className={styles.linkWords}>
              <span className={styles.linkTitle}>{title}</span>
              <span className={styles.linkText}>{text}</span>
            </span>
            <IconChevronRight size={18} aria-hidden className={styles.chevron} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
