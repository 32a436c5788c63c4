import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { type Connection, SYSTEMS, systemOf } from '../models/drive-commands.ts'
import type { DriveMount } from './address-panel.tsx'
import styles from './drive.module.css'
import { SystemSteps } from './system-steps.tsx'

const WHOLE = 'whole'

interface SystemsPanelProps {
  origin: string
  mounts: readonly [DriveMount, ...DriveMount[]]
  /** Whether the password is an API key. */
  hasKey: boolean
  usualName: string
  canWrite: boolean
}

/** Instructions for each system and program, with the URL and user name filled in. */
export function SystemsPanel({ origin, mounts, hasKey, usualName, canWrite }: SystemsPanelProps) {
  const { t } = useT()
  const [chosen, setChosen] = useState<string>(WHOLE)
  const [typed, setTyped] = useState(usualName)
  const [first] = useState(() => systemOf(navigator.userAgent))
  const mount = mounts.find(({ id }) => id === chosen)
  const connection: Connection = {
    folder: { origin, path: mount?.path ?? '' },
    sample: { origin, path: (mount ?? mounts[0]).path },
    userName: typed.trim() || usualName,
    password: t(hasKey ? 'webdav.systems.keyHere' : 'webdav.systems.passwordHere'),
  }
  return (
    <Panel title={t('webdav.systems.title')}>
      <div className={styles.fields}>
        <SelectField
          label={t('webdav.systems.folder')}
          value={mount?.id ?? WHOLE}
          options={[
            { value: WHOLE, label: t('webdav.address.whole') },
            ...mounts.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={setChosen}
        />
        <TextInput
          label={t('webdav.systems.userName')}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <div className={styles.systems}>
        {SYSTEMS.map((system) => (
          <details key={system} className={styles.system} open={system === first}>
            <summary className={styles.summary}>{t(`webdav.systems.${system}`)}</summary>
            <SystemSteps system={system} connection={connection} canWrite={canWrite} />
          </details>
        ))}
      </div>
    </Panel>
  )
}
