import { type RefObject, useEffect } from 'react'
import { focusPage } from './focus.ts'

const ITEM = '[data-focus-item]'
const CONTROLS = 'button, a[href], input:not([type="hidden"]), select, textarea'

/** Props that name the item around some controls for {@link keepFocus}. The name must be stable. */
export const focusItem = (name: string) => ({ 'data-focus-item': name })

interface Level {
  readonly name: string
  /** Index among all items in the root element. */
  readonly index: number
  /** Index of the focused control within its item. */
  readonly control: number
}

interface Held {
  readonly element: HTMLElement
  /** Items around the element, the innermost first. */
  readonly levels: readonly Level[]
}

const isUsable = (element: HTMLElement) => element.isConnected && !element.matches(':disabled')
const itemsOf = (root: HTMLElement) => [...root.querySelectorAll<HTMLElement>(ITEM)]
const isReachable = (control: HTMLElement) =>
  isUsable(control) && control.tabIndex >= 0 && control.closest('[hidden]') === null
const controlsOf = (item: HTMLElement) =>
  [...item.querySelectorAll<HTMLElement>(CONTROLS)].filter(isReachable)

function holdOf(root: HTMLElement, element: HTMLElement): Held {
  const items = itemsOf(root)
  const around = items.filter((item) => item.contains(element)).toReversed()
  return {
    element,
    levels: around.map((item) => ({
      name: item.dataset['focusItem'] ?? '',
      index: items.indexOf(item),
      control: controlsOf(item).indexOf(element),
    })),
  }
}

/**
 * Returns the control that replaces a removed control. The new control is in the same item, or in the item that now has
 * its position.
 */
function successorOf(root: HTMLElement, { levels }: Held): HTMLElement {
  const items = itemsOf(root)
  for (const { name, control } of levels) {
    const same = items.find((item) => item.dataset['focusItem'] === name)
    const controls = same ? controlsOf(same) : []
    const successor = controls[control] ?? controls.at(-1)
    if (successor) return successor
  }
  const index = levels.at(-1)?.index
  if (index === undefined) return root
  const others = [...items.slice(index), ...items.slice(0, index).toReversed()]
  return others.map((item) => controlsOf(item)[0]).find((control) => control !== undefined) ?? root
}

/**
 * Focuses the nearest control when a focused control is removed. Otherwise the browser would focus the page.
 * @param root must be focusable, because it gets the focus if no controls are left in it
 */
export function keepFocus(root: HTMLElement): () => void {
  let held: Held | null = null
  const onFocusIn = ({ target }: FocusEvent) => {
    held = target instanceof HTMLElement && target !== root ? holdOf(root, target) : null
  }
  const onFocusOut = ({ relatedTarget, target }: FocusEvent) => {
    if (relatedTarget !== null) held = null
    else
      queueMicrotask(() => {
        // The element still exists, so the user has moved the focus.
        if (held?.element === target && isUsable(held.element)) held = null
      })
  }
  const observer = new MutationObserver(() => {
    if (!held || isUsable(held.element)) return
    const { activeElement } = document
    const isLost = activeElement === null || activeElement === document.body || activeElement === held.element
    const before = held
    held = null
    if (isLost) successorOf(root, before).focus({ preventScroll: true })
  })
  root.addEventListener('focusin', onFocusIn)
  root.addEventListener('focusout', onFocusOut)
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    root.removeEventListener('focusin', onFocusIn)
    root.removeEventListener('focusout', onFocusOut)
    observer.disconnect()
  }
}

const focusFirstOf = (elements: readonly Element[]): boolean => {
  for (const element of elements) {
    const inside =
      element instanceof HTMLElement ? [element, ...element.querySelectorAll<HTMLElement>(CONTROLS)] : []
    // Checks that the control has the focus, because hidden controls cannot get the focus.
    const hasTaken = (control: HTMLElement) => {
      control.focus({ preventScroll: true })
      return document.activeElement === control
    }
    if (inside.some((one) => one.matches(CONTROLS) && isReachable(one) && hasTaken(one))) return true
  }
  return false
}

/** Returns the button of a menu in place of a menu item, because the menu closes with a choice. */
function lastingOf(element: Element): Element {
  const button = element.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || element
}

/**
 * The last focused element, and the element to focus if the last focused element no longer exists. A menu closes before
 * the dialog that its item opens, so the dialog cannot restore the focus to the item.
 */
let last: { readonly element: Element; readonly lasting: Element } | null = null
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) last = { element: target, lasting: lastingOf(target) }
})

function openerNow(): Element {
  const active = document.activeElement ?? document.body
  if (active !== document.body || last === null) return lastingOf(active)
  const hasGone = !last.element.isConnected && last.lasting.isConnected
  return hasGone ? last.lasting : active
}

/**
 * Remembers the focused element.
 * @returns a function that restores the focus to the element or, if it was removed, to the nearest control
 */
export function rememberFocus(): () => void {
  const opener = openerNow()
  const levels: { parent: Element; index: number }[] = []
  for (let element = opener; element.parentElement; element = element.parentElement) {
    const parent = element.parentElement
    levels.push({ parent, index: [...parent.children].indexOf(element) })
  }
  return () => {
    if (opener instanceof HTMLElement && isUsable(opener)) {
      opener.focus({ preventScroll: true })
      return
    }
    const { activeElement } = document
    // The focus was moved meanwhile, for example by an outer dialog that closed too.
    if (activeElement !== null && activeElement !== document.body) return
    // An opener that is not a control is usually a list that handles keys. If it was removed, the focus is not moved,
    // because the page then handles the keys.
    if (!opener.matches(CONTROLS)) return
    const page = levels.findIndex(({ parent }) => parent.matches('main, body'))
    const around = levels.slice(0, page).filter(({ parent }) => parent.isConnected)
    // If the control was next to a list with its own keys, the list gets the focus.
    const list = around.map(({ parent }) => parent.querySelector<HTMLElement>('[role="grid"]')).find(Boolean)
    if (list) {
      list.focus({ preventScroll: true })
      return
    }
    for (const { parent, index } of around) {
      const children = [...parent.children]
      if (focusFirstOf([...children.slice(index), ...children.slice(0, index).toReversed()])) return
    }
    focusPage()
  }
}

/**
 * A `ref` for components with a button that closes the component. If the component is removed while the focus is
 * inside, the content that replaces it gets the focus.
 */
export function passFocusOn(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(document.activeElement)) queueMicrotask(rememberFocus())
  }
}

/** Applies {@link keepFocus} while the component is mounted. */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => (root.current ? keepFocus(root.current) : undefined), [root])
}
