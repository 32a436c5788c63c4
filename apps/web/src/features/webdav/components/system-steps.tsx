import type { ReactNode } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { addressOf, plainAddressOf } from '../models/drive-address.ts'
import {
  type Connection,
  curlCommands,
  cyberduckProtocol,
  davfsCommands,
  fileManagerAddresses,
  piecesOf,
  rcloneCommands,
  type System,
  WEB_CLIENT_KEY,
  windowsCommands,
} from '../models/drive-commands.ts'
import { CopyLine } from './copy-line.tsx'
import styles from './drive.module.css'

interface StepsProps {
  connection: Connection
  canWrite: boolean
}

const STEPS: Readonly<Record<System, (props: StepsProps) => ReactNode>> = {
  windows: WindowsSteps,
  macos: MacSteps,
  linux: LinuxSteps,
  mobile: MobileSteps,
  rclone: RcloneSteps,
  cyberduck: CyberduckSteps,
  curl: CurlSteps,
}

/** Instructions for one system or program. */
export function SystemSteps({ system, ...props }: StepsProps & { system: System }) {
  const Steps = STEPS[system]
  return (
    <div className={styles.steps}>
      <Steps {...props} />
    </div>
  )
}

interface StepProps {
  text: string
  children?: ReactNode
}

const Step = ({ text, children }: StepProps) => (
  <li className={styles.step}>
    <p className={styles.text}>{text}</p>
    {children}
  </li>
)

/** A hint without a number. */
const Note = ({ text, children }: StepProps) => (
  <div className={styles.step}>
    <p className={styles.text}>{text}</p>
    {children}
  </div>
)

function AddressLine({ connection }: { connection: Connection }) {
  const { t } = useT()
  const what = t('webdav.systems.address')
  return <CopyLine text={addressOf(connection.folder)} what={what} isBroken />
}

function WindowsSteps({ connection }: StepsProps) {
  const { t } = useT()
  const { map, start, basic, limit, restart } = windowsCommands(connection)
  return (
    <>
      <ol className={styles.list}>
        <Step text={t('webdav.windows.open')} />
        <Step text={t('webdav.windows.enter')}>
          <CopyLine text={plainAddressOf(connection.folder)} what={t('webdav.systems.address')} isBroken />
        </Step>
      </ol>
      <Note text={t('webdav.windows.orCommand')}>
        <CopyLine text={map} what={t('webdav.windows.map')} />
      </Note>
      <Note text={t('webdav.windows.startText')}>
        <CopyLine text={start} what={t('webdav.windows.start')} />
      </Note>
      <Note text={t('webdav.windows.basicText', { key: WEB_CLIENT_KEY })}>
        <CopyLine text={basic} what={t('webdav.windows.basic')} />
      </Note>
      <Note text={t('webdav.windows.limitText')}>
        <CopyLine text={limit} what={t('webdav.windows.limit')} />
      </Note>
      <Note text={t('webdav.windows.restartText')}>
        <CopyLine text={restart} what={t('webdav.windows.restart')} />
      </Note>
    </>
  )
}

function MacSteps({ connection }: StepsProps) {
  const { t } = useT()
  return (
    <>
      <ol className={styles.list}>
        <Step text={t('webdav.macos.open')} />
        <Step text={t('webdav.macos.enter')}>
          <AddressLine connection={connection} />
        </Step>
        <Step text={t('webdav.macos.signIn')} />
      </ol>
      <Note text={t('webdav.macos.traces')} />
    </>
  )
}

function LinuxSteps({ connection }: StepsProps) {
  const { t } = useT()
  const { gnome, kde } = fileManagerAddresses(connection)
  const { install, mount, fstab, secrets, join, mountAgain } = davfsCommands(connection)
  return (
    <>
      <Note text={t('webdav.linux.gnome')}>
        <CopyLine text={gnome} what={t('webdav.linux.gnomeAddress')} isBroken />
      </Note>
      <Note text={t('webdav.linux.kde')}>
        <CopyLine text={kde} what={t('webdav.linux.kdeAddress')} isBroken />
      </Note>
      <Note text={t('webdav.linux.davfs')}>
        <CopyLine text={install} what={t('webdav.linux.install')} />
      </Note>
      <Note text={t('webdav.linux.mountText')}>
        <CopyLine text={mount} what={t('webdav.linux.mount')} />
      </Note>
      <Note text={t('webdav.linux.fstabText')}>
        <CopyLine text={fstab} what={t('webdav.linux.fstab')} />
      </Note>
      <Note text={t('webdav.linux.secretsText')}>
        <CopyLine text={secrets} what={t('webdav.linux.secrets')} />
      </Note>
      <Note text={t('webdav.linux.joinText')}>
        <CopyLine text={join} what={t('webdav.linux.join')} />
        <CopyLine text={mountAgain} what={t('webdav.linux.mountAgain')} />
      </Note>
    </>
  )
}

function MobileSteps({ connection }: StepsProps) {
  const { t } = useT()
  return (
    <>
      <ol className={styles.list}>
        <Step text={t('webdav.mobile.app')} />
        <Step text={t('webdav.mobile.enter')}>
          <AddressLine connection={connection} />
        </Step>
      </ol>
      <Note text={t('webdav.mobile.pieces', piecesOf(connection))} />
    </>
  )
}

function RcloneSteps({ connection, canWrite }: StepsProps) {
  const { t } = useT()
  const { create, config, up, down } = rcloneCommands(connection)
  const { password } = connection
  return (
    <>
      <Note text={t('webdav.rclone.createText', { password })}>
        <CopyLine text={create} what={t('webdav.rclone.create')} />
      </Note>
      <Note text={t('webdav.rclone.configText')}>
        <CopyLine text={config} what={t('webdav.rclone.config')} />
      </Note>
      {canWrite && (
        <Note text={t('webdav.rclone.upText')}>
          <CopyLine text={up} what={t('webdav.rclone.up')} />
        </Note>
      )}
      <Note text={t('webdav.rclone.downText')}>
        <CopyLine text={down} what={t('webdav.rclone.down')} />
      </Note>
    </>
  )
}

function CyberduckSteps({ connection }: StepsProps) {
  const { t } = useT()
  return (
    <ol className={styles.list}>
      <Step text={t('webdav.cyberduck.open')} />
      <Step text={t('webdav.cyberduck.enter', { protocol: cyberduckProtocol(connection) })}>
        <AddressLine connection={connection} />
      </Step>
      <Step text={t('webdav.cyberduck.signIn')} />
    </ol>
  )
}

function CurlSteps({ connection, canWrite }: StepsProps) {
  const { t } = useT()
  const { list, up, down } = curlCommands(connection)
  return (
    <>
      <Note text={t('webdav.curl.listText')}>
        <CopyLine text={list} what={t('webdav.curl.list')} />
      </Note>
      {canWrite && (
        <Note text={t('webdav.curl.upText')}>
          <CopyLine text={up} what={t('webdav.curl.up')} />
        </Note>
      )}
      <Note text={t('webdav.curl.downText')}>
        <CopyLine text={down} what={t('webdav.curl.down')} />
      </Note>
    </>
  )
}
