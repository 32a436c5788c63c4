import { Button, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import {
  backendOf,
  chooseBackend,
  otherServer,
  ownServer,
  serverAddress,
} from '../../../lib/server-address.ts'
import { useT } from '../../../i18n/use-translation.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { Banner } from '../../../ui/feedback/message.tsx'
import { RadioField } from '../../../ui/forms/radio-field.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { isOurServer } from '../api/probe.api.ts'
import styles from './environment.module.css'

const DEVELOPMENT = 'http://localhost:8787'

type Choice = 'own' | 'development' | 'custom'

interface SwitcherProps {
  /** Called before the switch to another server, which must not get the credential of the current server. */
  onLeave: () => Promise<void>
}

/** Maximum wait for a server that may be unreachable. */
const LEAVE_MS = 2000

/** Switches the server, and reloads the page to reset all state. */
function switchTo(origin: string | null, onLeave: SwitcherProps['onLeave']): void {
  const left = Promise.race([onLeave(), new Promise((resolve) => setTimeout(resolve, LEAVE_MS))])
  chooseBackend(origin)
  void left.finally(() => window.location.reload())
}

/** Lets the user choose another server than the server of the page. */
export function EnvironmentSwitcher({ onLeave }: SwitcherProps) {
  const { t } = useT()
  const titleId = useId()
  const [isOpen, setOpen] = useState(true)
  const [choice, setChoice] = useState<Choice>(otherServer === null ? 'own' : 'custom')
  const [address, setAddress] = useState(otherServer ?? '')
  const typed = backendOf(address)
  const probing = useMutation({
    mutationFn: isOurServer,
    onSuccess: (isOurs, origin) => {
      if (isOurs) switchTo(origin === ownServer() ? null : origin, onLeave)
    },
  })
  if (!isOpen) return null
  const target = { own: ownServer(), development: DEVELOPMENT, custom: typed }[choice]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (target !== null) probing.mutate(target)
  }
  const choose = (next: Choice) => {
    probing.reset()
    setChoice(next)
  }
  return (
    <aside className={styles.panel} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 className={styles.title} id={titleId}>
          {t('environment.title')}
        </h2>
        <ToolButton
          label={t('environment.close')}
          icon={<IconX size={20} aria-hidden />}
          onClick={() => setOpen(false)}
        />
      </div>
      <form className={formStyles.fields} onSubmit={submit} noValidate>
        <p className={formStyles.text}>{t('environment.current', { origin: serverAddress() })}</p>
        <RadioField
          label={t('environment.server')}
          value={choice}
          options={[
            { value: 'own', label: t('environment.own'), hint: ownServer() },
            { value: 'development', label: t('environment.development'), hint: DEVELOPMENT },
            { value: 'custom', label: t('environment.custom') },
          ]}
          onChange={choose}
        />
        {choice === 'custom' && (
          <TextInput
            label={t('environment.address')}
            description={t('environment.addressHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            type="url"
            maxLength={500}
            value={address}
            error={address !== '' && typed === null ? t('environment.invalid') : undefined}
            onChange={(event) => {
              probing.reset()
              setAddress(event.currentTarget.value)
            }}
          />
        )}
        {probing.data === false && <Banner tone="error">{t('environment.unreachable')}</Banner>}
        <p className={formStyles.text}>{t('environment.text')}</p>
        <div>
          <Button
            type="submit"
            loading={probing.isPending}
            disabled={target === null || target === serverAddress()}
          >
            {t('environment.apply')}
          </Button>
        </div>
      </form>
    </aside>
  )
}

/** Shown to everyone while another server is used, because that server has different accounts. */
export function OtherServerNote({ onLeave }: SwitcherProps) {
  const { t } = useT()
  return (
    <aside className={styles.note} aria-label={t('environment.title')}>
      <span>{t('environment.otherServer', { origin: serverAddress() })}</span>
      <Button size="compact-sm" variant="default" onClick={() => switchTo(null, onLeave)}>
        {t('environment.back')}
      </Button>
    </aside>
  )
}
