import { Button, TextInput } from '@mantine/core'
import { IconFolder, IconSettings, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { DropZone } from '../../features/files/components/drop-zone.tsx'
import { CheckField } from '../../ui/forms/check-field.tsx'
import { LinkCards } from '../../ui/layout/link-cards.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { RadioField } from '../../ui/forms/radio-field.tsx'
import { SelectField } from '../../ui/forms/select-field.tsx'
import { ToolButton } from '../../ui/buttons/tool-button.tsx'
import styles from './parts.module.css'

/** Pseudo-classes, and the attribute selectors that imitate them. */
const PSEUDO = [
  [/:hover\b/g, '[data-shown-state~="hover"]'],
  [/:focus(?:-visible|-within)?(?![-\w])/g, '[data-shown-state~="focus"]'],
  [/:active\b/g, '[data-shown-state~="pressed"]'],
] as const

const STATES = ['rest', 'hover', 'focus', 'pressed', 'off'] as const
type State = (typeof STATES)[number]

/** The states as values of the attribute. A pressed element is also hovered. */
const SHOWN: Readonly<Record<State, string>> = {
  rest: '',
  hover: 'hover',
  focus: 'focus',
  pressed: 'hover pressed',
  off: '',
}

const doubled = new WeakSet<CSSRule>()

/**
 * Copies each rule that has a pseudo-class, and replaces the pseudo-class by its attribute selector. The copy has the
 * same specificity and position.
 */
function doubleRules(list: CSSStyleSheet | CSSGroupingRule): void {
  for (let at = list.cssRules.length - 1; at >= 0; at -= 1) {
    const rule = list.cssRules[at]
    if (!rule || doubled.has(rule)) continue
    if (rule instanceof CSSStyleRule) {
      const selector = PSEUDO.reduce((text, [state, shown]) => text.replace(state, shown), rule.selectorText)
      if (selector === rule.selectorText) continue
      list.insertRule(`${selector} { ${rule.style.cssText} }`, at + 1)
      doubled.add(rule)
    } else if (rule instanceof CSSGroupingRule) doubleRules(rule)
  }
}

const PRESSABLE = 'button, a, select, input, textarea'

function Shown({ state, children }: { state: State; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const part = box.current?.querySelector(PRESSABLE)
    if (SHOWN[state] === '') return
    part?.setAttribute('data-shown-state', SHOWN[state])
    // A visually hidden field shows its state on its label.
    part?.closest('label')?.setAttribute('data-shown-state', SHOWN[state])
  }, [state])
  if (children === null) return null
  return (
    <div ref={box} className={styles.state}>
      <small>{state}</small>
      {children}
    </div>
  )
}

const nothing = () => undefined
const DAYS = [{ value: 'day', label: 'A day' }] as const

/** Renders each component; `isOff` renders the disabled state. `null` means that the component has no such state. */
const PARTS: Readonly<Record<string, (isOff: boolean) => ReactNode>> = {
  First: (isOff) => <Button disabled={isOff}>Create</Button>,
  Second: (isOff) => (
    <Button variant="default" disabled={isOff}>
      Cancel
    </Button>
  ),
  Third: (isOff) => (
    <Button variant="subtle" color="gray" disabled={isOff}>
      More
    </Button>
  ),
  Deletes: (isOff) => (
    <Button color="red" disabled={isOff}>
      Delete
    </Button>
  ),
  Tool: (isOff) => (
    <ToolButton label="Settings" isOff={isOff} icon={<IconSettings size={20} />} onClick={nothing} />
  ),
  'Tool that deletes': (isOff) => (
    <ToolButton label="Delete" isDangerous isOff={isOff} icon={<IconTrash size={20} />} onClick={nothing} />
  ),
  Field: (isOff) => <TextInput aria-label="Name" defaultValue="report.pdf" disabled={isOff} />,
  'Wrong field': (isOff) =>
    isOff ? null : <TextInput aria-label="Name" defaultValue="a/b" error="A name has no slash." />,
  Password: (isOff) => <PasswordField label="Password" defaultValue="secret" disabled={isOff} />,
  'Wrong password': (isOff) =>
    isOff ? null : <PasswordField label="Password" defaultValue="secret" error="It is another one." />,
  Choice: (isOff) => (
    <SelectField label="Lasts" value="day" options={DAYS} disabled={isOff} onChange={nothing} />
  ),
  'One of some': (isOff) =>
    isOff ? null : <RadioField label="Lasts" value="day" options={DAYS} onChange={nothing} />,
  Tick: (isOff) =>
    isOff ? null : <CheckField label="Public" hint="Anybody may read it." isChecked onChange={nothing} />,
  Link: (isOff) =>
    isOff ? null : (
      <LinkCards
        cards={[
          { key: 'home', Icon: IconFolder, link: { to: '/' }, title: 'A text', text: 'What is there.' },
        ]}
      />
    ),
  'Place to drop files': (isOff) =>
    isOff ? null : <DropZone isOver={false} limit="100 MB" onFiles={nothing} />,
}

/** Shows every state of each component. */
export function States(): ReactNode {
  useEffect(() => {
    for (const sheet of document.styleSheets) doubleRules(sheet)
  }, [])
  return (
    <Panel title="States">
      <ul className={styles.states}>
        {Object.entries(PARTS).map(([name, part]) => (
          <li key={name}>
            <h3>{name}</h3>
            <div className={styles.shown}>
              {STATES.map((state) => (
                <Shown key={state} state={state}>
                  {part(state === 'off')}
                </Shown>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
