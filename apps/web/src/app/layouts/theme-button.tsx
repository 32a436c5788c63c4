import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react'
import { useT } from '../../i18n/use-translation.ts'

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const ICONS = { auto: IconSunMoon, light: IconSun, dark: IconMoon } as const

export function ThemeButton() {
  const { t } = useT()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = ICONS[colorScheme]
  const name = t(`shell.theme.${colorScheme}`)
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={name}
      title={name}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  )
}
