import { Button } from '@mantine/core'
import {
  IconDeviceFloppy,
  IconFileText,
  IconFolderSymlink,
  IconKey,
  IconNetwork,
  IconUpload,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { SamplesPanel } from '../../../features/samples/components/samples-panel.tsx'
import { GuideStepPage } from '../../../features/welcome/components/guide-step.tsx'
import { type LinkCard, LinkCards } from '../../../ui/layout/link-cards.tsx'
import { useT } from '../../../i18n/use-translation.ts'
import { moduleLink } from '../../admin-modules.ts'
import { BackButton } from './back-button.tsx'
import type { StepProps } from './welcome.page.tsx'

const LINKS = [
  { key: 'home', Icon: IconFileText, link: { to: '/' } },
  { key: 'upload', Icon: IconUpload, link: { to: '/upload' } },
  { key: 'keys', Icon: IconKey, link: moduleLink('key-management') },
  { key: 'mounts', Icon: IconFolderSymlink, link: moduleLink('mount-management') },
  { key: 'webdav', Icon: IconNetwork, link: moduleLink('webdav') },
  { key: 'backup', Icon: IconDeviceFloppy, link: moduleLink('settings') },
] as const

/** Last step of the guide, with links to further pages. */
export function DoneStep({ hasFocus, onBack }: StepProps) {
  const { t } = useT()
  const links = LINKS.map((one): LinkCard => ({
    ...one,
    title: t(`welcome.done.links.${one.key}.title`),
    text: t(`welcome.done.links.${one.key}.text`),
  }))
  return (
    <GuideStepPage
      title={t('welcome.done.title')}
      text={t('welcome.done.text')}
      hasFocus={hasFocus}
      actions={
        <>
          <BackButton onBack={onBack} />
          <Button renderRoot={(props) => <Link to="/admin" {...props} />}>{t('welcome.done.finish')}</Button>
        </>
      }
    >
      <LinkCards cards={links} />
      <SamplesPanel />
    </GuideStepPage>
  )
}
