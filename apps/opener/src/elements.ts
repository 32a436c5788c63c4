/** Creates elements. Their contents are always text, never markup. */

type Attributes = Readonly<Record<string, string | boolean>>

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(attribute, '')
    else if (value !== false) made.setAttribute(attribute, value)
  }
  made.append(...children)
  return made
}

export function button(text: string, onClick: () => void | Promise<void>): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text)
  made.addEventListener('click', () => void onClick())
  return made
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Formats a size like `12.3 MB`. */
export function formatBytes(bytes: number): string {
  const unit = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** unit
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}
