import { ActionIcon } from '@mantine/core'
import { IconChevronRight, IconDots, IconHome } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment, use } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { directionOf } from '../../../lib/text/right-to-left.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { Menu } from '../../../ui/dialogs/menu.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { crumbsOf, nameOfPath } from '../models/fs-paths.ts'
import styles from './crumbs.module.css'
import { useFolderScreen } from './explorer-context.ts'
import { EntryUrlsContext } from './items/entry-urls.ts'
import { useIsPhone } from './items/list-view.tsx'

const SHOWN = 4
const SHOWN_ON_PHONE = 1

/** Breadcrumbs of the open folder. The middle of a long path collapses into a menu. */
export function Crumbs() {
  const { t } = useT()
  const { path, base, address } = useFolderScreen()
  const { folderLink } = use(EntryUrlsContext)
  const isPhone = useIsPhone()
  const crumbs = crumbsOf(path, base)
  const shownCount = isPhone ? SHOWN_ON_PHONE : SHOWN
  const hidden = crumbs.slice(0, Math.max(0, crumbs.length - shownCount))
  const shown = crumbs.slice(hidden.length)
  const rootName = base === '/' ? t('explorer.root') : nameOfPath(base)
  return (
    <nav className={styles.crumbs} aria-label={t('explorer.path')}>
      <ol>
        <li>
          <Link
            className={styles.root}
            {...folderLink(base)}
            activeOptions={{ exact: true }}
            data-drop-path={base}
            {...(crumbs.length === 0 && { 'aria-current': 'page' as const })}
          >
            <IconHome size={18} aria-hidden />
            {(crumbs.length === 0 || !isPhone) && <DisplayName name={rootName} />}
            {crumbs.length > 0 && isPhone && <span className="dl-sr">{rootName}</span>}
          </Link>
        </li>
        {hidden.length > 0 && (
          <li>
            <Separator />
            <Menu position="bottom-start" withInitialFocusPlaceholder={false}>
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" size={40} aria-label={t('explorer.hiddenLevels')}>
                  <IconDots size={18} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {hidden.map((crumb) => (
                  <Menu.Item
                    key={crumb.path}
                    data-drop-path={crumb.path}
                    onClick={() => address.openFolder(crumb.path)}
                  >
                    <DisplayName name={crumb.name} />
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          </li>
        )}
        {shown.map((crumb, index) => (
          <Fragment key={crumb.path}>
            <li className={styles.level}>
              <Separator />
              <Link
                className={styles.crumb}
                {...folderLink(crumb.path)}
                activeOptions={{ exact: true }}
                title={showInvisible(crumb.name)}
                dir={directionOf(crumb.name)}
                data-drop-path={crumb.path}
                {...(index === shown.length - 1 && { 'aria-current': 'page' as const })}
              >
                <DisplayName name={crumb.name} />
              </Link>
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}

const Separator = () => <IconChevronRight className={styles.separator} size={16} aria-hidden />
